-- Totals of proposals with nets, taxes and discounts on the whole.

-- The version of the rules by which the figures were calculated and of the form that content_hash covers. Stored figures are
-- never calculated again, so existing rows keep version 1, which has no totals.
alter table proposal
  add content_version smallint not null default 1,
  add prices_include_tax boolean not null default false,
  add discount numeric(14, 2),
  add discount_percent numeric(7, 4),
  -- subtotal, discountTotal, taxes and taxTotal, as in the record.
  add totals jsonb,
  add constraint proposal_one_discount check (discount is null or discount_percent is null),
  add constraint proposal_totals check ((content_version = 1) = (totals is null));
