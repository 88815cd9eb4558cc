#pragma once

#include <optional>

#include "base/secret_box.h"
#include "storage/storage.h"

namespace guildhall {

// Whether a master key is the one that the secrets in a database were sealed with.
enum class KeyCheck { absent, right, wrong };

// `absent`: no server has run with a master key yet.
KeyCheck check_master_key(Tx& tx, const SecretBox& secrets);

// True if a server has run with a master key.
bool has_key_check(Tx& tx);

// Called at the server's start. Stores a text sealed with the key if there is none yet. With the wrong key it logs an
// error; the server starts anyway, because only stored secrets need the key.
void ensure_key_check(Storage& storage, const SecretBox& secrets);

}  // namespace guildhall
