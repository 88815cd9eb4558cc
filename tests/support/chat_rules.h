#pragma once

#include <string>

namespace guildhall::test {

// Returns the reasons why the chat platform would refuse a reply to an interaction, one on each line; empty if it would
// accept it. Written from the platform's documentation, not from our own code.
std::string faults_of_answer(const std::string& json);

}  // namespace guildhall::test
