import { sql } from 'kysely'
import { selectSql } from '../../context.ts'
import type { ProposalContext } from '../context.ts'
import { isSamePerson } from './same-person.ts'

/**
 * Returns the link of a recipient to the newest version of a proposal that was replaced; null if no version has the recipient. The link of
 * a copy does not lead to that of a signer, which could be used to sign.
 */
export async function newestLink(ctx: ProposalContext, recipientId: string): Promise<string | null> {
  const { organizationId, proposalLinks } = ctx
  const [newest] = await selectSql(
    ctx,
    sql<{ id: string; link_version: number }>`
      with recursive version (id, step) as (
        select proposal.superseded_by, 1 from proposal
        where proposal.id = (select proposal_id from proposal_recipient where id = ${recipientId}) and proposal.superseded_by is not null
        union all
        select proposal.superseded_by, step + 1 from version join proposal on proposal.id = version.id
        where proposal.superseded_by is not null)
      select newer.id, newer.link_version
      from version join proposal_recipient as newer on newer.proposal_id = version.id
        join proposal_recipient as former on former.id = ${recipientId} and ${isSamePerson}
          and (former.role = 'signer' or newer.role = 'copy')
      order by step desc, newer.role = former.role desc, newer.position limit 1`,
  )
  return newest === undefined ? null : proposalLinks.urlOf({ organizationId, recipientId: newest.id, version: newest.link_version })
}
