#include "statistics.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "flang/run_time.hpp"
#include "settings.hpp"
#include "site.hpp"

extern "C" {
int run_raw_create(const char *path);
long run_raw_write(int descriptor, const void *text, std::size_t bytes);
void run_raw_close(int descriptor);
}

namespace headrace::run
{
namespace
{

std::atomic<std::uint64_t> hand_overs{0}, handed_over{0}, hidden{0};
constexpr int most_notes = 20;
char notes[most_notes][300];
std::atomic<int> note_count{0};

// Text that goes to a file in pieces.
class json_file
{
   public:
    explicit json_file(int descriptor) noexcept : descriptor_(descriptor) {}
    void put(const char *text) noexcept
    {
        for (; *text != '\0'; ++text) put_character(*text);
    }
    void put(std::uint64_t number) noexcept
    {
        char text[24];
        std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(number));
        put(text);
    }
    void put_string(const char *text, std::size_t bytes) noexcept
    {
        put_character('"');
        for (std::size_t i = 0; i < bytes; ++i) put_escaped(static_cast<unsigned char>(text[i]));
        put_character('"');
    }
    void put_string(const char *text) noexcept { put_string(text, std::strlen(text)); }
    void flush() noexcept
    {
        run_raw_write(descriptor_, text_, used_);
        used_ = 0;
    }

   private:
    void put_character(char c) noexcept
    {
        text_[used_++] = c;
        if (used_ == sizeof text_) flush();
    }
    void put_escaped(unsigned char c) noexcept
    {
        if (c == '"' || c == '\\') {
            put_character('\\');
            put_character(static_cast<char>(c));
        } else if (c < 0x20 || c >= 0x7F) {
            char text[8];
            std::snprintf(text, sizeof text, "\\u%04x", c);
            put(text);
        } else {
            put_character(static_cast<char>(c));
        }
    }

    int descriptor_;
    std::size_t used_ = 0;
    char text_[4096];
};

const char *form_of(const site &one) noexcept
{
    const bool is_internal = (one.flags & transfer_internal) != 0;
    if (one.has_no_format()) return (one.flags & transfer_record) != 0 ? "unformatted direct" : "unformatted stream";
    if ((one.flags & (transfer_list_directed | transfer_format)) == 0) return "namelist";
    if (one.flags & transfer_list_directed) return is_internal ? "internal list-directed" : "list-directed";
    return is_internal ? "internal formatted" : "formatted";
}

void put_site(json_file &file, const site &one) noexcept
{
    const auto get = [](const std::atomic<std::uint64_t> &counter) { return counter.load(std::memory_order_relaxed); };
    file.put("\n  {\"file\": ");
    file.put_string(one.file_name);
    file.put(", \"line\": ");
    file.put(static_cast<std::uint64_t>(one.line));
    file.put(one.is_read() ? ", \"statement\": \"read\", \"form\": " : ", \"statement\": \"write\", \"form\": ");
    file.put_string(form_of(one));
    file.put(", \"format\": ");
    if (one.program != nullptr) file.put_string(one.program->text().data(), one.program->text().size());
    else file.put("\"\"");
    file.put(", \"taken_over\": ");
    file.put(one.all_taken());
    file.put(", \"left\": ");
    file.put(get(one.left));
    file.put(", \"reason\": ");
    const char *const no_reason = get(one.left) > 0 ? "the first of each line (HEADRACE_RUN_AFTER)" : "";
    file.put_string(one.reason() != nullptr ? one.reason() : no_reason);
    file.put(", \"values\": ");
    file.put(one.all_values());
    file.put(", \"bytes\": ");
    file.put(one.all_bytes());
    file.put(", \"checked\": ");
    file.put(get(one.checked));
    file.put(", \"different\": ");
    file.put(get(one.different));
    file.put("}");
}

void put_all(json_file &file, bool is_active, const char *why_not) noexcept
{
    char program[1024];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    file.put("{\"headrace_run\": 1, \"program\": ");
    file.put_string(program, length > 0 ? static_cast<std::size_t>(length) : 0);
    file.put(", \"pid\": ");
    file.put(static_cast<std::uint64_t>(getpid()));
    file.put(", \"host\": ");
    file.put_string(host);
    file.put(", \"run_time\": ");
    file.put_string(has_flang_run_time() ? "LLVM flang" : "libgfortran.so.5");
    file.put(", \"active\": ");
    file.put(is_active ? "true" : "false");
    file.put(", \"why_not_active\": ");
    file.put_string(why_not);
    file.put(",\n \"text_handed_over\": ");
    file.put(handed_over.load());
    file.put(", \"hand_overs\": ");
    file.put(hand_overs.load());
    file.put(", \"errors_hidden_by_the_run_time\": ");
    file.put(hidden.load());
    file.put(", \"notes\": [");
    const int count = note_count.load() < most_notes ? note_count.load() : most_notes;
    for (int i = 0; i < count; ++i) {
        if (i > 0) file.put(", ");
        file.put_string(notes[i]);
    }
    file.put("],\n \"sites\": [");
    bool is_first = true;
    for (const site *one = all_sites(); one != nullptr; one = one->next_made) {
        if (!is_first) file.put(",");
        put_site(file, *one);
        is_first = false;
    }
    file.put("],\n \"strings\": {}}\n");
    file.flush();
}

}  // namespace

void count_hand_over(std::size_t bytes) noexcept
{
    hand_overs.fetch_add(1, std::memory_order_relaxed);
    handed_over.fetch_add(bytes, std::memory_order_relaxed);
}

void count_hidden_error() noexcept { hidden.fetch_add(1, std::memory_order_relaxed); }
std::uint64_t hidden_errors() noexcept { return hidden.load(std::memory_order_relaxed); }

void note(const char *format, ...) noexcept
{
    const int place = note_count.fetch_add(1);
    if (place >= most_notes) return;
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(notes[place], sizeof notes[place], format, arguments);
    va_end(arguments);
}

void write_statistics(bool is_active, const char *why_not) noexcept
{
    if (chosen.statistics[0] == '\0') return;
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    char path[1400];
    std::snprintf(path, sizeof path, "%s/run.%s.%ld.json", chosen.statistics, host, static_cast<long>(getpid()));
    const int descriptor = run_raw_create(path);
    if (descriptor < 0) return;
    json_file file(descriptor);
    put_all(file, is_active, why_not);
    run_raw_close(descriptor);
}

}  // namespace headrace::run
