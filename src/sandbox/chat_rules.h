#pragma once

#include <string>
#include <string_view>

namespace guildhall::sandbox {

// Returns the reasons why the chat platform would refuse a reply to an interaction, one on each line; empty if it would
// accept it. Written from the platform's documentation, not from our own code.
std::string faults_of_answer(std::string_view json);

// The same for the body of a message that the bot sends or edits through the REST API.
std::string faults_of_content(std::string_view json);

}  // namespace guildhall::sandbox
