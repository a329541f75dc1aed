// What somebody may have meant by a word that is not known.
#pragma once

#include <string>
#include <vector>

namespace headrace {

// "did you mean .csv or .tsv? " of those that are one slip away: a letter too many, too few or
// another, or two neighbours exchanged. Empty if none is. Both in small letters.
std::string did_you_mean(const std::string& given, const std::vector<std::string>& known);

}  // namespace headrace
