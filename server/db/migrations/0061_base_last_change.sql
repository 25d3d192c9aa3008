-- When a source of the base was last deleted, or the last change of a deleted source where that is later: what
-- `stats.lastUpdatedAt` would forget with the source. Until now it is what the event log says.
alter table base add sources_removed_at timestamptz;
update base set sources_removed_at = deleted.at
from (
  select organization_id, right(data ->> 'baseId', 36)::uuid as base_id, max(created_at) as at
  from event where type = 'source.deleted'
  group by 1, 2
) as deleted
where base.organization_id = deleted.organization_id and base.id = deleted.base_id;

-- A clock that steps back does not take these times back.
create function keep_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := old.updated_at;
  return new;
end $$;
create trigger keep_updated_at before update on base for each row
  when (new.updated_at < old.updated_at) execute function keep_updated_at();
create trigger keep_updated_at before update on source for each row
  when (new.updated_at < old.updated_at) execute function keep_updated_at();
