-- The community fund: members' money in one append-only ledger a tenant.
--
-- Rows of the ledger are never changed or deleted. A trigger that says so would need two texts (PostgreSQL wants a
-- function, SQLite has none), so keys say it instead: each row carries the balance it found and refers to the row
-- before it by number and balance. A row in the middle can thus neither be deleted nor have its money changed, a
-- running balance cannot be wrong, and there is no fork. `guildhall fund verify` recomputes the rest.

-- One row a tenant: what the ledger adds up to. Its lock is what writes of one tenant queue for.
CREATE TABLE fund_balances (
  tenant_id         text   NOT NULL,
  currency          text   NOT NULL,           -- of every row in the ledger; fixed by the first
  sequence          bigint NOT NULL,           -- of the newest row; 0 when there is none
  balance_cents     bigint NOT NULL,
  contributed_cents bigint NOT NULL,           -- less what was given back
  disbursed_cents   bigint NOT NULL,
  contributions     bigint NOT NULL,           -- rows of that kind
  disbursements     bigint NOT NULL,
  CONSTRAINT fund_balances_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT fund_balances_never_negative CHECK (balance_cents >= 0 AND disbursed_cents >= 0),
  CONSTRAINT fund_balances_add_up CHECK (balance_cents = contributed_cents - disbursed_cents),
  CONSTRAINT fund_balances_exact_in_json CHECK (contributed_cents <= 9007199254740991),
  CONSTRAINT fund_balances_count CHECK (sequence = contributions + disbursements)
);

CREATE TABLE fund_ledger (
  id                   text    NOT NULL,
  tenant_id            text    NOT NULL,
  sequence             bigint  NOT NULL,       -- 1, 2, 3 … without gaps
  kind                 text    NOT NULL,       -- CONTRIBUTION, DISBURSEMENT
  source               text    NOT NULL,       -- ADMIN, ORDER, REFUND, CHARGEBACK
  customer_id          text,                   -- the donor or the recipient; null: an order that names no customer
  order_id             text,
  order_part           bigint,                 -- 0: the order's contribution, 1 … : what was given back of it
  change_cents         bigint  NOT NULL,       -- added to the balance; below zero: taken from it
  balance_cents        bigint  NOT NULL,       -- after this row
  anonymous            boolean NOT NULL,
  reason               text,                   -- of a disbursement
  approved_by          text,                   -- of a disbursement: the user
  created_at           bigint  NOT NULL,
  previous_sequence    bigint,                 -- null in the first row
  balance_before_cents bigint,
  CONSTRAINT fund_ledger_pkey PRIMARY KEY (tenant_id, sequence),
  CONSTRAINT fund_ledger_never_negative CHECK (balance_cents >= 0),
  CONSTRAINT fund_ledger_runs CHECK (balance_cents = COALESCE(balance_before_cents, 0) + change_cents),
  CONSTRAINT fund_ledger_first CHECK (sequence >= 1 AND (sequence = 1) = (previous_sequence IS NULL)
    AND (previous_sequence IS NULL) = (balance_before_cents IS NULL)),
  CONSTRAINT fund_ledger_follows CHECK (previous_sequence IS NULL OR previous_sequence = sequence - 1),
  CONSTRAINT fund_ledger_kinds CHECK (
    (kind = 'CONTRIBUTION' AND source IN ('ADMIN', 'ORDER') AND change_cents > 0
      AND reason IS NULL AND approved_by IS NULL)
    OR (kind = 'CONTRIBUTION' AND source IN ('REFUND', 'CHARGEBACK') AND change_cents < 0 AND order_part >= 1
      AND reason IS NULL AND approved_by IS NULL)
    OR (kind = 'DISBURSEMENT' AND source = 'ADMIN' AND change_cents < 0
      AND customer_id IS NOT NULL AND reason IS NOT NULL AND approved_by IS NOT NULL)),
  CONSTRAINT fund_ledger_link_key UNIQUE (tenant_id, sequence, balance_cents),
  CONSTRAINT fund_ledger_link_fkey FOREIGN KEY (tenant_id, previous_sequence, balance_before_cents)
    REFERENCES fund_ledger (tenant_id, sequence, balance_cents)
);
-- Once per order, and no part of it given back twice.
CREATE UNIQUE INDEX fund_ledger_order_key ON fund_ledger (tenant_id, order_id, order_part);
-- The lists of one kind, newest first.
CREATE INDEX fund_ledger_kind_idx ON fund_ledger (tenant_id, kind, sequence);

CREATE TABLE fund_configs (
  id                            text    NOT NULL,
  tenant_id                     text    NOT NULL,
  enabled                       boolean NOT NULL,
  allowed_amounts_cents         text    NOT NULL,
  custom_amount_allowed         boolean NOT NULL,
  custom_amount_min_cents       bigint  NOT NULL,
  custom_amount_max_cents       bigint  NOT NULL,
  celebration_channel_id        text,
  celebration_message_template  text    NOT NULL,
  anonymous_message_template    text    NOT NULL,
  anonymity_allowed             boolean NOT NULL,
  disbursement_approval_roles   text    NOT NULL,
  disclaimer_text               text    NOT NULL,
  currency                      text    NOT NULL,
  public_view_enabled           boolean NOT NULL,
  created_at                    bigint  NOT NULL,
  updated_at                    bigint  NOT NULL,
  version                       bigint  NOT NULL,
  -- The first read makes it; two at once make one.
  CONSTRAINT fund_configs_pkey PRIMARY KEY (tenant_id)
);
