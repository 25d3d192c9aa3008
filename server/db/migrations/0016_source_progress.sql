alter table source
  -- When the stage was entered, by the last worker that did, and what was done of it by then: its pace since tells how
  -- long the rest may take.
  add stage_started_at timestamptz,
  add progress_from integer not null default 0,
  -- The furthest stage that an event told of: an attempt that is taken up again does not tell of the same ones again.
  add told_stage text not null default 'queued';
