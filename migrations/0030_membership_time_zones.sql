-- Calendar months of a membership are counted in the time zone that the shop had when it was paid. Until now it was UTC.
ALTER TABLE membership_periods ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';

-- So that trials can be listed.
ALTER TABLE memberships ADD COLUMN is_trial boolean NOT NULL DEFAULT false;
-- beside the previous release: only trials are marked; one that it makes meanwhile is marked when it is next changed
UPDATE memberships SET is_trial = true
WHERE EXISTS (SELECT 1 FROM membership_periods AS period
              WHERE period.tenant_id = memberships.tenant_id AND period.id = memberships.last_period_id
                AND period.kind = 'TRIAL');
