-- Who comes next in a queue that organizations share: the jobs of a base follow each other, those of different bases take
-- turns. By self-clocked fair queueing (Golestani 1994): a job gets a turn, a number behind the last one of its base by
-- what it costs, and jobs are started in the order of their turns. A base that had nothing waiting begins at the turn
-- that is served now, so it neither saves up the past nor pays for it.
create table queue_turn (
  organization_id uuid not null,
  queue text not null,
  base_id uuid not null,
  -- The turn of the base's newest job.
  last integer not null,
  primary key (organization_id, queue, base_id),
  foreign key (organization_id, base_id) references base (organization_id, id) on delete cascade
);
create index queue_turn_last on queue_turn (queue, last);
alter table queue_turn enable row level security;
create policy tenant on queue_turn
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
create policy base_limit on queue_turn as restrictive
  using (coalesce(base_id = any ((select app_base_ids())::uuid[]), true));
grant select on queue_turn to groundwork_app;

-- The turn of a new job, to be its priority with the sign turned round. It runs as its owner, since what is served now
-- is of all organizations; it tells nothing of them but that number, and writes for the caller's organization alone.
--
-- What is served now is the lowest turn that waits for its first start: turns are only ever given above it, so it never
-- goes back. (A job that waits to be tried again keeps its old, low turn, and would draw newcomers down to it.) Where
-- nothing waits, it is the highest turn ever given, and the job costs nothing: numbers are used up only under a backlog.
--
-- With n bases waiting an organization pays n times the cost, or it would get as many shares as it has bases.
--
-- The base's row is the only lock: jobs of one base get their turns one after the other, and no two organizations meet.
create function take_turn(of_queue text, of_base uuid, cost integer) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
declare
  next_turn integer;
  served bigint;
  step bigint := 0;
  turn integer;
begin
  select -priority into next_turn from pgboss.job
    where name = of_queue and state < 'active' and state = 'created' and not blocked and start_after <= now()
    order by priority desc limit 1;
  served := coalesce(next_turn, (select last from queue_turn where queue = of_queue order by last desc limit 1), 0);
  if next_turn is not null then
    step := cost::bigint * (1 + (
      select count(*) from queue_turn
        where organization_id = app_organization() and queue = of_queue and base_id <> of_base and last >= served
    ));
  end if;
  insert into queue_turn as flow (organization_id, queue, base_id, last)
    values (app_organization(), of_queue, of_base, least(served + step, 2147483647))
    on conflict (organization_id, queue, base_id)
      do update set last = least(greatest(flow.last, served) + step, 2147483647)
    returning last into turn;
  return turn;
end $$;
revoke execute on function take_turn(text, uuid, integer) from public;
grant execute on function take_turn(text, uuid, integer) to groundwork_app;
