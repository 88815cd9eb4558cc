#pragma once

#include <string>
#include <vector>

#include "base/secret_box.h"
#include "features/tenancy/installation_config.h"
#include "storage/storage.h"

namespace guildhall {

// Whether the first master key is the one that the secrets in a database were sealed with.
enum class KeyCheck { absent, right, former, wrong };

// `absent`: no server has run with a master key yet. `former`: one of the other keys opens them.
KeyCheck check_master_key(Tx& tx, const SecretBox& secrets);

// True if a server has run with a master key.
bool has_key_check(Tx& tx);

// Seals the known text again with the first key, after all secrets were sealed with it.
void renew_key_check(Tx& tx, const SecretBox& secrets);

// The configured keys, or the one that development has generated; empty if there is none. It generates none.
std::vector<std::string> master_keys_of(const InstallationConfig& config);

// Called at the server's start. Stores a text sealed with the key if there is none yet. With the wrong key it logs an
// error; the server starts anyway, because only stored secrets need the key.
void ensure_key_check(Storage& storage, const SecretBox& secrets);

}  // namespace guildhall
