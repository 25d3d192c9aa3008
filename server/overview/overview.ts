import type { GroundworkApi, Overview, Scope } from '@groundwork/api'
import { dueTasks } from '../activities/list.ts'
import { contactTotal } from '../contacts/list.ts'
import type { Handlers } from '../handlers.ts'
import { baseTotal } from '../knowledge/bases/bases.ts'
import type { KnowledgeContext, KnowledgeServices } from '../knowledge/context.ts'
import { searchesOfOrganization, unansweredOfOrganization } from '../knowledge/retrievals/of-organization.ts'
import { failedSources } from '../knowledge/sources/failed.ts'
import { sourceTotals } from '../knowledge/sources/totals.ts'
import { memberTotals } from '../members/members.ts'
import type { ProposalServices } from '../proposals/context.ts'
import { withheldMessages } from '../proposals/mail/withheld-messages.ts'
import { countersignProposals, expiringProposals, proposalTotals, undeliveredProposals, waitingProposals } from '../proposals/open.ts'
import { proposalPipeline } from '../proposals/pipeline.ts'
import { nearQuotas } from '../quotas/near-quotas.ts'
import type { SystemServices } from '../system/system.ts'
import { activeTokenCount } from '../tokens/tokens.ts'
import { failingWebhooks } from '../webhooks/failing.ts'

/** Returns open issues, search statistics, the pipeline of proposals and totals: each part only if the actor may read its records. */
export async function getOverview(ctx: KnowledgeContext & ProposalServices & Pick<SystemServices, 'backupWarning'>): Promise<Overview> {
  const { actor } = ctx
  const allowed = <T>(scope: Scope, read: (ctx: KnowledgeContext & ProposalServices) => Promise<T>): Promise<T | null> =>
    actor === undefined || actor.scopes.includes(scope) ? read(ctx) : Promise.resolve(null)
  const ofAllBases = (actor?.baseIds ?? null) === null
  const [
    sources,
    webhooks,
    expiring,
    waiting,
    undelivered,
    withheld,
    countersign,
    tasks,
    questions,
    quotas,
    backup,
    searches,
    pipeline,
    contacts,
    proposals,
    bases,
    ofSources,
    tokens,
    members,
  ] = await Promise.all([
    allowed('sources:read', failedSources),
    ofAllBases ? allowed('webhooks:read', failingWebhooks) : null,
    allowed('proposals:read', expiringProposals),
    allowed('proposals:read', waitingProposals),
    allowed('proposals:read', undeliveredProposals),
    allowed('proposals:read', withheldMessages),
    allowed('proposals:read', countersignProposals),
    allowed('contacts:read', dueTasks),
    allowed('retrievals:read', unansweredOfOrganization),
    ofAllBases ? nearQuotas(ctx) : null,
    actor?.kind === 'user' && (actor.role === 'owner' || actor.role === 'admin') ? ctx.backupWarning() : null,
    allowed('retrievals:read', searchesOfOrganization),
    allowed('proposals:read', proposalPipeline),
    allowed('contacts:read', contactTotal),
    allowed('proposals:read', proposalTotals),
    allowed('bases:read', baseTotal),
    allowed('sources:read', sourceTotals),
    allowed('tokens:read', activeTokenCount),
    allowed('members:read', memberTotals),
  ])
  return {
    attention: {
      sources,
      webhooks,
      expiring,
      waiting,
      undelivered,
      withheld,
      countersign,
      tasks,
      questions,
      quotas,
      backup: backup === null ? null : { ...backup, newestAt: backup.newestAt?.toISOString() ?? null },
    },
    searches,
    pipeline: pipeline?.stages ?? null,
    pipelineSince: pipeline?.since ?? null,
    totals: { contacts, proposals, bases, sources: ofSources, tokens, members },
  }
}

export const overviewHandlers: Handlers<GroundworkApi, KnowledgeServices & ProposalServices & SystemServices>['overview'] = {
  get: (ctx) => getOverview(ctx),
}
