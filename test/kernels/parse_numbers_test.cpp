// Many numbers at once: every tier against std::from_chars, the portable tier and known hard
// cases.
#include "parse_numbers_checks.hpp"

namespace headrace {
namespace {

TEST(ParseReals, rounds_known_hard_cases_correctly) {
  const std::vector<std::string> numbers = {
      "1e23",
      "9007199254740993",
      "9007199254740993.00000000000000000000000000000000000000000000001",
      "9007199254740992.5",
      "9007199254740991.5",
      "2.2250738585072011e-308",
      "2.2250738585072012e-308",
      "2.2250738585072014e-308",
      "4.9406564584124654e-324",
      "2.4703282292062327208e-324",
      "2.4703282292062328e-324",
      "7.4109846876186981626e-324",
      "1.7976931348623157e308",
      "1.7976931348623158e308",
      "6929495644600919.5",
      "3.7455744005952583e15",
      "8.98846567431158e307",
      "123456789012345678",
      "12345678901234567890",
      "1234567890123456789012345",
      "0.000000000000000000000000000000000000000000012345678901234567",
      "1090544144181609348835077142190",
      "1.00000005960464477539062500",
      "1.00000005960464477539062501",
      "16777217",
      "16777219",
      "3.4028235e38",
      "1.17549435e-38",
      "1.4012984e-45",
      "7.0064923216240854e-46",
      "7.1e-46",
      "0.1",
      "0.30000000000000004",
      "100000000000000000000000",
      "5e-1",
      "0e999",
      "0.0e-999",
      "00000000000000000000000000000001.5",
      std::string(800, '7') + "e-700",
      "0." + std::string(300, '0') + std::string(500, '3'),
  };
  check_reals<double>(numbers);
  check_reals<float>(numbers);
}

TEST(ParseReals, rounds_ties_with_hundreds_of_digits) {
  // Halfway between 0 and the smallest subnormal number, and one digit beyond.
  const std::string half_of_smallest =
      "2."
      "47032822920623272088284396434110686182529901307162382212792841250337753635104375932649918180"
      "81799618989828234772285886546332835517796989819938739800539093906315035659515570226392290858"
      "39244910518443593180284993653615250031937045767824921936562366986365848075700158576926990370"
      "63119282795585513329278343384093519780155312465972635795746227664652728272200563740064854999"
      "77096599470454020828166226237857393450736339007967761930577506740176324673600968951340535537"
      "45851666113422376667860416215968046191446729184030053005753084904876539171138659164623952491"
      "26236538818796362393732804238910186723484976682350898633885879256283027559956575244555072551"
      "89313690836254779186948667994968324049705821028513185451396213837722826145437693412532098591"
      "327667236328125";
  check_reals<double>({half_of_smallest + "e-324", half_of_smallest + "1e-324"});
}

TEST(ParseReals, reads_every_form_that_gfortran_reads) {
  const std::vector<std::pair<std::string, double>> forms = {
      {"1.0D+00", 1},     {"1.0d3", 1000},     {"1.0Q2", 100},         {"1.0e-2", 0.01},
      {"1.0+300", 1e300}, {"1.0-300", 1e-300}, {"1+2", 100},           {"2-3", 0.002},
      {".5", 0.5},        {"5.", 5},           {"-.5", -0.5},          {"+.5", 0.5},
      {"1.e5", 1e5},      {"00001", 1},        {"000.1", 0.1},         {"1e0000005", 1e5},
      {"1e+05", 1e5},     {"+1", 1},           {"-0.0", -0.0},         {"1E005", 1e5},
      {"  7", 7},         {"7  ", 7},          {"\t7\t", 7},           {"7\r", 7},
      {"inf", HUGE_VAL},  {"-INF", -HUGE_VAL}, {"Infinity", HUGE_VAL}, {"0", 0},
  };
  for (const simd_tier tier : tiers_of_this_machine())
    for (const auto& [text, value] : forms)
      for (const std::size_t copies : {1, 3, 64, 100}) {
        const auto result = parse_text<double>(repeated(text, copies), ',', {'.', true}, tier);
        ASSERT_EQ(result.good, copies) << text << " tier " << name_of(tier);
        for (const double found : result.values)
          ASSERT_EQ(bits_of(found), bits_of(value)) << text << " tier " << name_of(tier);
      }
}

TEST(ParseReals, refuses_exponents_of_cells_without_e_or_d) {
  for (const std::string bad : {"1+2", "2-3", "1.0+300", "1.0-300", "1.0Q2", "1q-2", "2010-01",
                                "1974Q1", "55-1234", ".5+1", "5.-1", "-1-1", "+1+1"}) {
    check_bad<double>(bad, field_state::not_a_number);
    check_bad<float>(bad, field_state::not_a_number);
  }
}

TEST(ParseReals, reads_nan) {
  for (const simd_tier tier : tiers_of_this_machine()) {
    const auto result = parse_text<double>("1,nan,NAN(1),-NaN\n", ',', '.', tier);
    ASSERT_EQ(result.good, 4U);
    EXPECT_EQ(result.values[0], 1.0);
    for (int i = 1; i < 4; ++i) EXPECT_TRUE(std::isnan(result.values[static_cast<std::size_t>(i)]));
  }
}

TEST(ParseReals, reads_decimal_commas) {
  for (const simd_tier tier : tiers_of_this_machine()) {
    const auto result = parse_text<double>(repeated("-1,5e2;0,25", 70, ';'), ';', ',', tier);
    ASSERT_EQ(result.good, 140U);
    for (std::size_t i = 0; i < 140; ++i) EXPECT_EQ(result.values[i], i % 2 == 0 ? -150 : 0.25);
  }
}

TEST(ParseReals, names_the_first_field_that_is_no_number) {
  const std::vector<std::string> junk = {
      "abc",    "1a",      "0x10",  "1_8",   "'1.5'", "-",
      "+",      "1e+",     "1.2.3", "1e5.5", "--1",   "1 2",
      "1-",     "e5",      ".",     "+.",    "1,5e",  "-+1",
      "1e--5",  "1ee5",    "1.5.",  "1e5e5", "infi",  "nan(1",
      "5 .",    "1.0e 5",  "-e5",   ".e5",   "1+2+3", "1e5-3",
      "1\0012", "1.5\x7f", "\x80",  "1/2",   "1:5",   "12345678901234567890123456789012345x"};
  for (const std::string& bad : junk) {
    check_bad<double>(bad, field_state::not_a_number);
    check_bad<float>(bad, field_state::not_a_number);
  }
  check_bad<double>(std::string("1\0", 2), field_state::not_a_number);
  check_bad<double>(std::string("\0", 1), field_state::not_a_number);
}

TEST(ParseReals, names_empty_and_too_large_fields) {
  for (const std::string empty : {"", " ", "\t", "   \t ", "\r"}) {
    check_bad<double>(empty, field_state::empty);
    check_bad<float>(empty, field_state::empty);
  }
  check_bad<double>(std::string(100, ' '), field_state::empty);
  for (const std::string large : {"1e309", "1.7976931348623159e308", "-1e400", "1e99999", "1d+999"})
    check_bad<double>(large, field_state::too_large);
  for (const std::string large :
       {"1e39", "3.4028236e38", "-1e400", "340282357000000000000000000000000000000"})
    check_bad<float>(large, field_state::too_large);
}

TEST(ParseReals, reads_random_bits_written_in_many_ways) {
  const std::size_t n = long_tests() ? 100000000 : 1000000 / one_of(5);
  check_random_bits<double>(n);
  check_random_bits<float>(n / 4);
}

TEST(ParseReals, reads_random_decimal_strings) {
  const std::size_t rounds = long_tests() ? 1000 : 20 / one_of(5);
  check_random_decimals<double>(rounds);
  check_random_decimals<float>(rounds);
}

TEST(ParseReals, reads_decimals_beside_midpoints) {
  const std::size_t rounds = long_tests() ? 1000 : 20 / one_of(5);
  check_midpoints<double>(rounds);
  check_midpoints<float>(rounds);
}

TEST(ParseReals, agrees_with_the_portable_tier_on_junk) {
  check_junk<double>();
  check_junk<float>();
  check_junk<double>({'.', true});
  check_junk<float>({'.', true});
}

TEST(ParseReals, reads_fields_between_blanks_over_empty_lines) {
  std::string text;
  for (int i = 0; i < 500; ++i)
    text += std::string(static_cast<std::size_t>(i % 40), i % 3 == 0 ? '\n' : ' ') +
            std::to_string(i) + (i % 5 == 0 ? "\r\n" : " ");
  text += "\n";
  for (const simd_tier tier : tiers_of_this_machine()) {
    const auto result = parse_text<double>(text, ' ', '.', tier);
    ASSERT_EQ(result.good, 500U);
    for (std::size_t i = 0; i < 500; ++i) ASSERT_EQ(result.values[i], static_cast<double>(i));
  }
}

TEST(ParseReals, refuses_two_numbers_far_apart_in_one_field) {
  for (const std::size_t blanks : {1, 20, 31, 32, 33, 60, 100}) {
    check_bad<double>("1" + std::string(blanks, ' ') + "2.5", field_state::not_a_number);
    check_bad<double>("1.5" + std::string(blanks, ' ') + "-" + std::string(40, ' '),
                      field_state::not_a_number);
  }
}

TEST(ParseNumbers, starts_at_any_field_of_a_map) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += std::to_string(i) + (i % 7 == 6 ? "\n" : ",");
  text.back() = '\n';
  for (const simd_tier tier : tiers_of_this_machine()) {
    const tier_guard guard(tier);
    const found_fields found(text, ',');
    for (std::size_t first = 0; first < 300; first += 13)
      for (std::size_t last = first; last <= 300; last += 7) {
        std::vector<double> reals(last - first + 1, -1);
        std::vector<std::int32_t> integers(last - first + 1, -1);
        field_state state{};
        EXPECT_EQ(
            parse_fields(found.text(), found.map().ends, first, last, '.', reals.data(), state),
            last);
        EXPECT_EQ(state, field_state::good);
        EXPECT_EQ(
            parse_fields(found.text(), found.map().ends, first, last, '.', integers.data(), state),
            last);
        for (std::size_t i = first; i < last; ++i) {
          ASSERT_EQ(reals[i - first], static_cast<double>(i));
          ASSERT_EQ(integers[i - first], static_cast<int>(i));
        }
        EXPECT_EQ(reals[last - first], -1) << "wrote beyond its fields";
        EXPECT_EQ(integers[last - first], -1) << "wrote beyond its fields";
      }
  }
}

}  // namespace
}  // namespace headrace
