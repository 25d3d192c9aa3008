-- Publishable tokens: they work only for the search widget, on pages of these origins, and at this rate.

alter table api_token
  add origins text[] check (cardinality(origins) > 0),
  add requests_per_minute integer check (requests_per_minute > 0);
