// The targets: each takes any bytes, makes statements of them, and has them done with and without
// `headrace run`.
#include "../targets.hpp"

#include "items.hpp"
#include "twin.hpp"

namespace headrace::fuzz {
namespace {

constexpr std::size_t most_statements = 60;
constexpr std::size_t repeats[] = {1, 1, 3, 20, 70};

std::string a_format(fuzz_input& input) {
  static const char* const some[] = {
      "(10e15.5)",         "(3es24.16e3)",  "(es22.14)",     "(i8,5f12.5)",
      "(a,i8,a,f12.6)",    "(*(g0,:,','))", "(i0)",          "(a)",
      "(f8.3,2(1x,f6.2))", "(1p,4e14.6)",   "(t3,i5,t20,a)", "(l2,i4,a5)",
      "(g12.4,1x,g0)",     "(3i6)",         "(f10.3)",       "(2x,a4,t1,i3)"};
  const std::size_t which = input.choose(24);
  if (which < sizeof some / sizeof some[0]) return some[which];
  const std::string text = "(" + std::string(input.line()) + ")";
  return is_harmless(text) ? text : "(i5)";
}

// Statements stand at a few places; those at one place have the same items, mostly.
struct writing {
  source_place place;
  std::vector<io_item> items;
};

}  // namespace

// Random statements on one unit, most of them WRITE.
void write_statements(std::string_view bytes) {
  fuzz_input input(bytes);
  twin both;
  std::deque<writing> known;
  bool is_behind_records = false, is_behind_a_read = false;
  for (std::size_t n = 0; n < most_statements && !input.rest().empty(); ++n) {
    const std::size_t choice = input.choose(16);
    if (choice >= 12) {
      const auto which = static_cast<twin::statement>(choice - 12);
      both.do_one(which);
      // gfortran 12 refuses a WRITE behind ENDFILE, and writes the record that was read last
      // instead.
      if (which == twin::statement::endfile && is_behind_a_read)
        both.do_one(twin::statement::rewind);
      if (which != twin::statement::flush) is_behind_a_read = false;
      is_behind_records = which != twin::statement::rewind && is_behind_records;
      continue;
    }
    if (known.empty() || (input.choose(3) == 0 && known.size() < 8)) {
      writing one;
      one.place.is_list_directed = input.choose(3) == 0;
      if (!one.place.is_list_directed) one.place.format = a_format(input);
      one.place.line = static_cast<std::int32_t>(10 + known.size());
      one.items = some_items(input, 5);
      known.push_back(std::move(one));
    }
    writing& one = known[input.choose(known.size())];
    if (choice == 11) {
      // gfortran 12 never ends some list-directed READs behind a record that was written.
      if (is_behind_records) both.do_one(twin::statement::rewind);
      is_behind_records = false;
      is_behind_a_read = true;
      both.read(one.place, one.items, true);
      continue;
    }
    if (choice == 10) {
      both.write_internal(one.place, one.items, input.choose(90));
      continue;
    }
    if (choice == 9) one.items = some_items(input, 5);
    const std::size_t times = repeats[input.choose(sizeof repeats / sizeof repeats[0])];
    const bool advances = choice != 8 || one.place.is_list_directed;
    for (std::size_t i = 0; i < times; ++i) both.write(one.place, one.items, advances);
    is_behind_records = true;
    is_behind_a_read = false;
  }
  both.finish();
}

// A few READ statements, and the text that they read.
void read_statements(std::string_view bytes) {
  fuzz_input input(bytes);
  std::vector<writing> known(1 + input.choose(3));
  for (std::size_t i = 0; i < known.size(); ++i) {
    source_place& place = known[i].place;
    place.is_list_directed = input.choose(2) == 0;
    if (!place.is_list_directed) place.format = a_format(input);
    place.line = static_cast<std::int32_t>(10 + i);
    known[i].items = some_items(input, 4);
  }
  const std::size_t turns = 1 + input.choose(12);
  const std::size_t kind = input.choose(4);
  twin both;
  if (kind == 0) {
    for (std::size_t n = 0; n < turns; ++n)
      for (const writing& one : known)
        if (!input.rest().empty()) both.read_internal(one.place, one.items, input.rest());
    return;
  }
  both.put_text(input.rest());
  for (std::size_t n = 0; n < turns; ++n) {
    for (const writing& one : known)
      both.read(one.place, one.items, kind != 3 || one.place.is_list_directed || n % 3 != 1);
    if (n == 5) both.do_one(kind == 2 ? twin::statement::backspace : twin::statement::rewind);
  }
  both.finish();
}

// Any format with any items, often enough for all ways to write them.
void format_statements(std::string_view bytes) {
  fuzz_input input(bytes);
  const std::size_t times = repeats[input.choose(sizeof repeats / sizeof repeats[0])];
  const std::vector<io_item> items = some_items(input, 6);
  const source_place place{false, std::string(input.rest()), 10};
  if (!is_harmless(place.format)) return;
  twin both;
  for (std::size_t i = 0; i < times; ++i) both.write(place, items, true);
  both.write_internal(place, items, 120);
  both.do_one(twin::statement::rewind);
  both.read(place, items, true);
  both.finish();
}

}  // namespace headrace::fuzz
