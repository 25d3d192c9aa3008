import type { ProposalView } from '@groundwork/api'
import { queryOptions } from '@tanstack/react-query'
import { pagesOf } from '../lib/pages.ts'
import type { Workspace } from '../lib/workspace.ts'
import { savedViewsQuery } from '../shell/list/saved-views.ts'
import type { ProposalFilter } from './proposal-filter.ts'

export const proposalsKey = ['proposals'] as const

export const proposalsQuery = ({ client, organization }: Workspace, filter: ProposalFilter) =>
  pagesOf([organization.id, ...proposalsKey, 'list', filter], ({ query, signal }) =>
    client.proposals.list({ ...filter, ...query }, { signal }).page(),
  )

export const listViewsKey = ['proposal-list-views'] as const

export const listViewsQuery = ({ client, organization }: Workspace) =>
  savedViewsQuery([organization.id, ...listViewsKey], client.proposalListViews.list)

/** Structural sharing is off because `etagOf` knows the version of the original response object only. */
export const proposalQuery = ({ client, organization }: Workspace, id: string) =>
  queryOptions({
    queryKey: [organization.id, ...proposalsKey, id],
    queryFn: ({ signal }) => client.proposals.get(id, { signal }),
    structuralSharing: false,
  })

/** Who opened a proposal. */
export const viewsQuery = ({ client, organization }: Workspace, id: string, kind: ProposalView['kind']) =>
  pagesOf([organization.id, ...proposalsKey, id, 'views', kind], ({ query, signal }) =>
    client.proposals.views.list(id, { kind, ...query }, { signal }).page(),
  )

/** The messages about a proposal. */
export const proposalMailsQuery = ({ client, organization }: Workspace, id: string) =>
  pagesOf([organization.id, ...proposalsKey, id, 'mails'], ({ query, signal }) =>
    client.mails.list({ proposalId: id, ...query }, { signal }).page(),
  )

/** A signature in the certificate of a completed proposal. */
export interface CertifiedSignature {
  name: string
  method: string
  wording: string
  signedAt: string
  address: string
  userAgent: string | null
}

/** The signatures of a completed proposal, from its certificate. */
export const signaturesQuery = ({ client, organization }: Workspace, id: string) =>
  queryOptions({
    queryKey: [organization.id, ...proposalsKey, id, 'signatures'],
    queryFn: async ({ signal }): Promise<readonly CertifiedSignature[]> =>
      signersOf(await (await client.proposals.certificate(id, { signal })).json()),
    // A certificate never changes.
    staleTime: Infinity,
  })

/** The cast holds for every certificate: docs/certificates.md specifies this part of the format. */
const signersOf = (certificate: unknown): readonly CertifiedSignature[] =>
  (certificate as { certificate: { signers: readonly CertifiedSignature[] } }).certificate.signers

/** The organization, for its default currency and its time zone. */
export const organizationQuery = ({ client, organization }: Workspace) =>
  queryOptions({
    queryKey: [organization.id, 'organization'],
    queryFn: ({ signal }) => client.organization.get({ signal }),
  })

/** The actor of each event of a proposal, from the audit log. */
export const proposalActorsQuery = ({ client, organization }: Workspace, id: string) =>
  queryOptions({
    queryKey: [organization.id, ...proposalsKey, id, 'actors'],
    queryFn: async ({ signal }): Promise<Partial<Record<string, string>>> => {
      const { data } = await client.audit.list({ targetId: id, limit: 100 }, { signal }).page()
      return Object.fromEntries(data.flatMap(({ action, actor: { name } }) => (name === null ? [] : [[action, name]])))
    },
  })
