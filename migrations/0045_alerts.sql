-- Which alerts a person of a shop wants, and by which media. `kinds` is JSON. The last two columns limit the alerts of an hour.
CREATE TABLE alert_settings (
  tenant_id      text   NOT NULL,
  user_tenant_id text   NOT NULL,
  user_id        text   NOT NULL,
  locale         text,
  kinds          text   NOT NULL,
  updated_at     bigint NOT NULL,
  version        bigint NOT NULL,
  sent_hour      bigint NOT NULL DEFAULT 0,
  sent_count     bigint NOT NULL DEFAULT 0,
  CONSTRAINT alert_settings_pkey PRIMARY KEY (tenant_id, user_tenant_id, user_id)
);
CREATE INDEX alert_settings_user ON alert_settings (user_tenant_id, user_id);
