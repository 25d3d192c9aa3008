import { describe, expect, it } from 'vitest'
import { inspect } from './inspect.ts'

describe('inspect', () => {
  it.each([
    'select 1; copy t from stdin',
    'select pg_advisory_lock(1)',
    'select pg_try_advisory_lock_shared(1)',
    'discard all',
    'deallocate prepare all',
  ])('refuses %s', (sql) => {
    expect(inspect(sql).refusal?.code).toBe('0A000')
  })

  it.each([
    "insert into t values ('copy t from stdin')",
    'select $$; copy t from stdin; $$',
    "select E'it\\'s; copy t from stdin'",
    'select 1 -- ; copy t from stdin',
    'select "copy" from t where stdin = 1',
    "copy t from '/tmp/file'",
    '/* bulk */ copy (select 1) to stdout',
    'select pg_advisory_xact_lock(1)',
    "select 'pg_advisory_lock(1)'",
    'deallocate one',
  ])('lets %s pass', (sql) => {
    expect(inspect(sql)).toEqual({
      sql,
      listen: [],
      unlisten: [],
      session: false,
      custom: [],
      localTimeout: null,
      copiesIn: false,
      refusal: null,
    })
  })

  it.each(['copy t from stdin', 'COPY t (a, b) FROM STDIN WITH (FORMAT csv);'])('expects data after %s', (sql) => {
    expect(inspect(sql)).toMatchObject({ copiesIn: true, refusal: null })
  })

  it('reads channels as the server does', () => {
    expect(inspect('LISTEN Jobs; listen "Jo""bs"').listen.toSorted()).toEqual(['Jo"bs', 'jobs'])
  })

  it('lets no connection make the shared session leave a channel', () => {
    const { sql, unlisten } = inspect('UNLISTEN jobs; select 1; unlisten *')
    expect(unlisten.toSorted()).toEqual(['*', 'jobs'])
    expect(sql).toBe('UNLISTEN "groundwork:nobody"; select 1; unlisten "groundwork:nobody"')
  })

  it.each([
    ['set work_mem = 1000', true, []],
    ['SET SESSION app.organization TO 1', true, ['app.organization']],
    ['reset all', true, []],
    ["select set_config('app.x', $1, false)", true, ['app.x']],
    ["select set_config('app.x', $1, $2)", true, ['app.x']],
    ["select set_config('app.x', lower('A'), true)", false, ['app.x']],
    ['begin; set local role app; set local app.x = 1', false, []],
    ['set transaction read only', false, []],
    ['update t set a = 1', false, []],
    ["insert into t values ('x'); set role app", true, []],
  ])('%s changes the session: %s', (sql, session, custom) => {
    expect(inspect(sql)).toMatchObject({ session, custom })
  })

  it.each([
    ["begin; set local statement_timeout = '10min'", '10min'],
    ['set local statement_timeout to 5000', '5000'],
    ['select 1; set local lock_timeout = 1', null],
  ])('finds the time limit of the transaction in %s', (sql, localTimeout) => {
    expect(inspect(sql).localTimeout).toBe(localTimeout)
  })
})
