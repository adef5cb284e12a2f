// The letters of a TOML 1.0 document: white space, keys, strings and numbers, read one after the other.
//
// Written here because both TOML libraries of Debian 12 fail on malformed text (toml++ 3.3 runs into undefined
// behaviour at a letter outside ASCII, toml11 3.7 overflows buffers and the stack), and scene files come from anywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pliant {

// Every member throws Error with file and line for what is not TOML. The text must outlive the reader.
class TomlText {
 public:
  using Scalar = std::variant<bool, std::int64_t, double, std::string>;
  using Key = std::vector<std::string>;  // the parts of a dotted key, at least one

  // Refuses text that is not UTF-8 or holds control characters.
  TomlText(std::string_view text, std::string file);

  std::uint64_t line() const { return line_; }
  bool at_end() const { return next_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[next_]; }

  // Takes `mark` if it is next.
  bool accept(std::string_view mark);

  void skip_blanks();       // spaces and tabs
  void skip_blank_lines();  // also line ends and comments
  void end_line();          // takes what may follow a statement: blanks, a comment, the line's end
  Key key();                // with the blanks around its parts
  Scalar scalar();          // a string, number or truth value; dates and times are refused

  [[noreturn]] void fail(const std::string& problem, const std::string& remedy = {}) const;

 private:
  void take_line_end();
  bool at_line_end() const;
  void skip_comment();
  std::string key_part();
  std::string string();
  std::string multi_line_string(char quote);
  void append_escape(std::string& text);
  bool take_folded_lines();
  std::string_view word();
  Scalar number(std::string_view word) const;

  std::string_view text_;
  std::string file_;
  std::size_t next_ = 0;
  std::uint64_t line_ = 1;
};

}  // namespace pliant
