-- Publishable tokens: they work only for the search widget, on pages of these origins, and at this rate. Without checks, for which requests
-- would wait until all rows are read.

alter table api_token add origins text[], add requests_per_minute integer;
