-- Moves the jobs of short work from a queue for each kind to one queue, in which a job carries the name of its handler.
-- pg-boss creates its schema after the migrations of a new database, so there is nothing to move then.
do $$
declare
  handlers constant text[] := array[
    'delete-files', 'drop-reindex', 'expire-proposal', 'forget-audit-entries', 'forget-events', 'forget-retrievals', 'purge-contact',
    'purge-idempotency-answers', 'redeliver-events', 'send-mail', 'send-reset', 'switch-reindex', 'sync-source'
  ];
  dead_letters constant text[] := (select array_agg(handler || '-abandoned') from unnest(handlers) as handler);
begin
  if to_regclass('pgboss.job') is null then return; end if;
  perform pgboss.create_queue('short-jobs-abandoned', '{
    "policy": "standard", "retryLimit": 20, "retryDelay": 5, "heartbeatSeconds": 30, "deleteAfterSeconds": 3600, "retentionSeconds": 2147483647
  }');
  perform pgboss.create_queue('short-jobs', '{
    "policy": "standard", "retryLimit": 20, "retryDelay": 2, "retryBackoff": true, "retryDelayMax": 60, "heartbeatSeconds": 30,
    "expireInSeconds": 600, "deleteAfterSeconds": 3600, "retentionSeconds": 2147483647, "deadLetter": "short-jobs-abandoned"
  }');
  update pgboss.job
  set name = 'short-jobs', group_id = name, data = data || jsonb_build_object('handler', name), dead_letter = 'short-jobs-abandoned'
  where name = any (handlers);
  update pgboss.job
  set name = 'short-jobs-abandoned', data = data || jsonb_build_object('handler', left(name, -length('-abandoned')))
  where name = any (dead_letters);
  delete from pgboss.queue where name = any (handlers || dead_letters);
end $$;
