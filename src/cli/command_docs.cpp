#include "cli/command_docs.h"

#include "app/config.h"
#include "base/function_ref.h"

namespace guildhall {
namespace {

// Calls `use` with every command that can be run, and its full name: "audit verify".
void for_each_command(const CLI::App& app, const std::string& name,
                      FunctionRef<void(const std::string&, const CLI::App&)> use) {
  const std::vector<const CLI::App*> below = app.get_subcommands({});
  if (below.empty()) use(name, app);
  for (const CLI::App* sub : below) {
    for_each_command(*sub, name.empty() ? sub->get_name() : name + " " + sub->get_name(), use);
  }
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  std::vector<const CLI::Option*> options = command.get_options();
  std::erase_if(options, [](const CLI::Option* option) { return option->get_name() == "--help"; });
  return options;
}

// "--tenant ID" or "--json". The name of the type is followed by a colon and the allowed values, if there are such.
std::string shown(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return option.get_name() + (option.get_items_expected_max() == 0 ? "" : " " + type.substr(0, type.find(':')));
}

std::string synopsis(const std::string& name, const CLI::App& command) {
  std::string line = "guildhall " + name;
  for (const CLI::Option* option : options_of(command)) {
    line += option->get_required() ? " " + shown(*option) : " [" + shown(*option) + "]";
  }
  return line;
}

// Quotes what troff would take for a command.
std::string troff(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\\') quoted += "\\e";
    if (c == '-') quoted += "\\-";
    if (c == '`') quoted += "\\(ga";
    if (c != '\\' && c != '-' && c != '`') quoted += c;
  }
  if (quoted.starts_with('.') || quoted.starts_with('\'')) quoted.insert(0, "\\&");
  return quoted;
}

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line.append(line.empty() ? "" : " ").append(word);
  return line;
}

}  // namespace

std::string man_page(const CLI::App& cli) {
  std::string page = fmt::format(
      ".TH GUILDHALL 1 \"\" \"Guildhall {}\" \"Guildhall\"\n.SH NAME\nguildhall \\- a commerce back end for chat "
      "communities\n.SH SYNOPSIS\n.B guildhall\n.I command\n[options]\n.SH DESCRIPTION\nOne program serves the API, "
      "the "
      "web console and the chat bot. It is configured by environment variables.\n.SH COMMANDS\n",
      GUILDHALL_VERSION);
  for_each_command(cli, "", [&](const std::string& name, const CLI::App& command) {
    page += fmt::format(".SS \"{}\"\n{}\n", troff(synopsis(name, command)), troff(command.get_description() + "."));
    for (const CLI::Option* option : options_of(command)) {
      page += fmt::format(".TP\n.B {}\n{}.\n", troff(shown(*option)), troff(option->get_description()));
    }
  });
  page +=
      ".SH EXIT STATUS\n0 for success, 1 for a wrong argument, a failure or a problem that was found.\n.SH "
      "ENVIRONMENT\n";
  for (const Variable& variable : config_variables()) {
    page += fmt::format(".TP\n.B {}{}\n{}\n", variable.name,
                        variable.fallback.empty() ? "" : fmt::format(" (default {})", troff(variable.fallback)),
                        troff(variable.help));
  }
  return page;
}

std::string bash_completion(const CLI::App& cli) {
  std::string cases;
  // The words that may follow each beginning of a command.
  const auto add = [&](const std::string& name, const CLI::App& command, const auto& again) -> void {
    std::vector<std::string> words;
    for (const CLI::App* sub : command.get_subcommands({})) words.push_back(sub->get_name());
    for (const CLI::Option* option : command.get_options()) words.push_back(option->get_name());
    cases += fmt::format("    '{}') words='{}' ;;\n", name, joined(words));
    for (const CLI::App* sub : command.get_subcommands({})) {
      again(name.empty() ? sub->get_name() : name + " " + sub->get_name(), *sub, again);
    }
  };
  add("", cli, add);
  return R"(# Completion of guildhall's commands and options for bash. Made by `guildhall completion`.
_guildhall() {
  local words='' command='' i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} == -* ]] && break
    command+="${command:+ }${COMP_WORDS[i]}"
  done
  case "$command" in
)" + cases +
         R"(  esac
  case "${COMP_WORDS[COMP_CWORD - 1]}" in
    --out | --to | --from | --folder | --key) words='' ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _guildhall guildhall
)";
}

std::string commands_markdown(const CLI::App& cli) {
  std::string table = "| command | what it does |\n|---|---|\n";
  for_each_command(cli, "", [&](const std::string& name, const CLI::App& command) {
    table += fmt::format("| `{}` | {}. |\n", synopsis(name, command), command.get_description());
  });
  return table;
}

}  // namespace guildhall
