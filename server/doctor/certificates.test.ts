import { describe, expect, it } from 'vitest'
import { ownerQuery } from '../db/owner-query.ts'
import { testApp } from '../testing/app.ts'
import { acceptanceOf, issueAlone, pendingProposal } from '../testing/certificates.ts'
import { diagnose } from './doctor.ts'

const { organization, database, platform } = await testApp()
const { pool } = database
const tools = { query: ownerQuery(pool), database, jobs: platform.jobs, storage: platform.storage }

const [owner, other] = [await organization(), await organization()]
for (const caller of [owner, owner, owner, owner, other]) await issueAlone(caller, acceptanceOf(await pendingProposal(caller)))
const of = `where organization_id = '${owner.organizationId}' and sequence = `

/** Returns the findings after a change, which is then undone. The doctor repairs none. */
async function faultsAfter(change: string): Promise<string[]> {
  await pool.query('create table kept as select * from certificate')
  await pool.query(change)
  const { findings, repaired } = await diagnose(tools, { repair: true, graceSeconds: 0, now: new Date() })
  await pool.query('truncate certificate; insert into certificate select * from kept; drop table kept')
  expect(repaired).toBe(0)
  expect(findings.every(({ check, organizationId }) => check === 'certificate' && organizationId === owner.organizationId)).toBe(true)
  return findings.map(({ detail }) => detail).toSorted()
}

describe('the doctor', () => {
  it.each([
    ['nothing', 'select 1', []],
    [
      'a changed certificate',
      `update certificate set json = replace(json, 'Ada', 'Eve') ${of} 2`,
      ['certificate 2: its content was changed'],
    ],
    ['a removed one', `delete from certificate ${of} 2`, ['certificate 3: the one before it is missing']],
    [
      'a replaced one',
      `update certificate set json = '{}', hash = encode(sha256('{}'), 'hex') ${of} 3`,
      ['certificate 4: it does not belong to the one before it'],
    ],
  ])('finds %s in a chain of certificates', async (_name, change, faults) => expect(await faultsAfter(change)).toEqual(faults))
})
