-- Searches in the playground of the dashboard. Not validated: existing rows have one of the former values.

alter table retrieval drop constraint retrieval_via_check;
alter table retrieval add constraint retrieval_via_check
  check (via in ('api', 'mcp', 'openai', 'dify', 'vapi', 'playground')) not valid;
