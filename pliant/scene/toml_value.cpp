#include "pliant/scene/toml_value.h"

#include <algorithm>
#include <memory>

#include "pliant/scene/toml_text.h"

namespace pliant {
namespace {

constexpr int kMaxDepth = 64;  // of arrays and tables in braces, which are read by recursion

// A document while it is read: tables stay open until its end, as TOML lets later lines add to them.
struct Node {
  enum class Kind {
    value,     // complete: a scalar, an array, or a table in braces
    implied,   // a table that so far stands only in the names of others
    declared,  // a table that a header or a dotted key has defined: it cannot be declared again
    tables,    // an array of tables, [[name]]
  };
  Kind kind = Kind::implied;
  std::uint64_t line = 0;
  TomlValue value;
  std::vector<std::unique_ptr<Node>> items;  // of a table, in the order of the file, or of an array of tables
  std::string key;
  const Node* definer = nullptr;  // the table whose dotted keys define this one, and may go on adding to it

  Node& add(std::string name, Kind item_kind, std::uint64_t item_line) {
    items.push_back(std::make_unique<Node>());
    Node& item = *items.back();
    item.key = std::move(name);
    item.kind = item_kind;
    item.line = item_line;
    return item;
  }

  Node* find(const std::string& name) {
    const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item->key == name; });
    return found == items.end() ? nullptr : found->get();
  }
};

TomlValue finished(Node& node) {
  if (node.kind == Node::Kind::value) return std::move(node.value);
  TomlValue value{.line = node.line};
  if (node.kind == Node::Kind::tables) {
    TomlValue::Array elements;
    for (const auto& item : node.items) elements.push_back(finished(*item));
    value.content = std::move(elements);
  } else {
    TomlValue::Table entries;
    for (const auto& item : node.items) entries.push_back({item->key, item->line, finished(*item)});
    // A table that was named first by its parts and declared later stands where it was declared.
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
    value.content = std::move(entries);
  }
  return value;
}

class DocumentReader {
 public:
  DocumentReader(std::string_view text, const std::string& name) : text_(text, name) {}

  TomlValue document() {
    Node root{.kind = Node::Kind::declared, .line = 1};
    Node* table = &root;
    for (text_.skip_blank_lines(); !text_.at_end(); text_.skip_blank_lines()) {
      if (text_.accept("[[")) table = &next_of_tables(root);
      else if (text_.accept("[")) table = &header(root);
      else key_and_value(*table, 0);
      text_.end_line();
    }
    return finished(root);
  }

 private:
  // The table that a header's line stands in: its key's last part names something in there.
  Node& parent_of(Node& root, const TomlText::Key& key) {
    Node* table = &root;
    for (std::size_t i = 0; i + 1 < key.size(); ++i) {
      Node* next = table->find(key[i]);
      if (!next) next = &table->add(key[i], Node::Kind::implied, text_.line());
      if (next->kind == Node::Kind::tables) next = next->items.back().get();
      if (next->kind == Node::Kind::value) fail_complete(key[i], *next);
      table = next;
    }
    return *table;
  }

  Node& header(Node& root) {
    const TomlText::Key key = text_.key();
    if (!text_.accept("]")) text_.fail("'[' without ']' after a table's name");
    Node& parent = parent_of(root, key);
    Node* table = parent.find(key.back());
    if (!table) return parent.add(key.back(), Node::Kind::declared, text_.line());
    if (table->kind != Node::Kind::implied) fail_complete(key.back(), *table);
    table->kind = Node::Kind::declared;
    table->line = text_.line();
    return *table;
  }

  Node& next_of_tables(Node& root) {
    const TomlText::Key key = text_.key();
    if (!text_.accept("]]")) text_.fail("'[[' without ']]' after a table's name");
    Node& parent = parent_of(root, key);
    Node* tables = parent.find(key.back());
    if (!tables) tables = &parent.add(key.back(), Node::Kind::tables, text_.line());
    if (tables->kind != Node::Kind::tables) fail_complete(key.back(), *tables);
    return tables->add({}, Node::Kind::declared, text_.line());
  }

  void key_and_value(Node& table, int depth) {
    const TomlText::Key key = text_.key();
    const std::uint64_t line = text_.line();
    if (!text_.accept("=")) text_.fail("'=' is missing after the key '" + key.back() + "'");
    text_.skip_blanks();
    Node& parent = table_of_dotted(table, key);
    if (const Node* twice = parent.find(key.back())) fail_complete(key.back(), *twice);
    parent.add(key.back(), Node::Kind::value, line).value = value(depth);
  }

  // Dotted keys define tables, and add to those that other dotted keys of the same table define.
  Node& table_of_dotted(Node& table, const TomlText::Key& key) {
    Node* inner = &table;
    for (std::size_t i = 0; i + 1 < key.size(); ++i) {
      Node* next = inner->find(key[i]);
      if (!next) next = &inner->add(key[i], Node::Kind::implied, text_.line());
      if (next->kind != Node::Kind::implied && next->definer != &table) fail_complete(key[i], *next);
      next->kind = Node::Kind::declared;
      next->definer = &table;
      inner = next;
    }
    return *inner;
  }

  TomlValue value(int depth) {
    if (depth > kMaxDepth) text_.fail("more than 64 arrays or tables inside each other");
    const std::uint64_t line = text_.line();
    if (text_.accept("[")) return {.content = array(depth + 1), .line = line};
    if (text_.accept("{")) return braces(depth + 1, line);
    TomlValue result{.line = line};
    TomlText::Scalar scalar = text_.scalar();
    std::visit([&](auto& one) { result.content = std::move(one); }, scalar);
    return result;
  }

  TomlValue::Array array(int depth) {
    TomlValue::Array values;
    for (;;) {
      text_.skip_blank_lines();
      if (text_.accept("]")) return values;
      values.push_back(value(depth));
      text_.skip_blank_lines();
      if (text_.accept("]")) return values;
      if (!text_.accept(",")) text_.fail("',' or ']' is missing in an array");
    }
  }

  TomlValue braces(int depth, std::uint64_t line) {
    Node table{.kind = Node::Kind::declared, .line = line};
    text_.skip_blanks();
    if (!text_.accept("}")) {
      do {
        key_and_value(table, depth);
        text_.skip_blanks();
      } while (text_.accept(","));
      if (!text_.accept("}")) text_.fail("',' or '}' is missing in a table", "a table in braces stands on one line");
    }
    return finished(table);
  }

  [[noreturn]] void fail_complete(const std::string& key, const Node& node) const {
    text_.fail("'" + key + "' is already there, since line " + std::to_string(node.line),
               "give it another name, or write it as one table");
  }

  TomlText text_;
};

}  // namespace

TomlValue parse_toml(std::string_view text, const std::string& name) { return DocumentReader(text, name).document(); }

}  // namespace pliant
