#include "features/media/media_config.h"

#include "base/config_values.h"

namespace guildhall {

std::vector<VariableOf<MediaConfig>> MediaConfig::variables() {
  return {
      {"MEDIA_DIR", "", &MediaConfig::media_dir, parse_text,
       "Folder for new pictures, shared by all nodes; without it they are stored in the database."},
      {"MEDIA_TENANT_MIB_MAX", "256", &MediaConfig::media_tenant_mib_max, integer(1, 1'048'576),
       "The total size of a tenant's stored pictures in MiB, 1 to 1048576."},
  };
}

}  // namespace guildhall
