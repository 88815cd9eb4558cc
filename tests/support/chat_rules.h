#pragma once

#include <string>

namespace guildhall::test {

// What the chat platform would refuse about a reply to an interaction, a line each; empty when it would take it.
// Written from the platform's documentation, not from our own code.
std::string faults_of_answer(const std::string& json);

}  // namespace guildhall::test
