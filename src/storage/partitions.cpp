#include "storage/partitions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace guildhall {

std::string partition_script(std::span<const std::string_view> tables, int count) {
  return fmt::format(R"(
DO $do$
DECLARE
  changed text;
  definitions text[];
  definition text;
BEGIN
  FOREACH changed IN ARRAY ARRAY['{0}'] LOOP
    SELECT array_agg(CASE WHEN k.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
                     ELSE format('ALTER TABLE %I ADD CONSTRAINT %I %s', changed, k.conname, pg_get_constraintdef(k.oid))
                     END)
      INTO definitions
      FROM pg_index i LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.conrelid = i.indrelid
      WHERE i.indrelid = to_regclass(changed);
    IF EXISTS (SELECT FROM pg_constraint WHERE conrelid = to_regclass(changed) AND contype = 'f')
      OR EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass(changed))
      OR EXISTS (SELECT FROM pg_attribute
                 WHERE attrelid = to_regclass(changed) AND (attgenerated <> '' OR attidentity <> '')) THEN
      RAISE EXCEPTION 'Table % has a foreign key, a trigger or a generated column: it would lose it.', changed;
    END IF;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', changed, changed || '_whole');
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY HASH (tenant_id)',
                   changed, changed || '_whole');
    EXECUTE format('DROP TABLE %I', changed || '_whole');
    FOREACH definition IN ARRAY definitions LOOP EXECUTE definition; END LOOP;
    FOR part IN 0 .. {1} - 1 LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS {1}, REMAINDER %s)',
                     changed || '_part' || part, changed, part);
    END LOOP;
  END LOOP;
END
$do$)",
                     fmt::join(tables, "','"), count);
}

const std::string_view name_partitions_script = R"(
DO $do$
DECLARE
  each record;
BEGIN
  FOR each IN
    SELECT c.oid, parent.relname || substring(part.relname FROM '_part[0-9]+$') AS name
    FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid AND c.relkind = 'i'
      JOIN pg_class parent ON parent.oid = h.inhparent
      JOIN pg_index i ON i.indexrelid = c.oid JOIN pg_class part ON part.oid = i.indrelid
    WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
      AND c.relname <> parent.relname || substring(part.relname FROM '_part[0-9]+$')
  LOOP
    EXECUTE format('ALTER INDEX %s RENAME TO %I', CAST(each.oid AS regclass), each.name);
  END LOOP;
END
$do$)";

std::string name_without_part(std::string_view name) {
  constexpr std::string_view mark = "_part";
  const std::size_t at = name.rfind(mark);
  const bool is_part = at != std::string_view::npos && at + mark.size() < name.size() &&
                       name.find_first_not_of("0123456789", at + mark.size()) == std::string_view::npos;
  return std::string(is_part ? name.substr(0, at) : name);
}

}  // namespace guildhall
