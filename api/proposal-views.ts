import { z } from 'zod'
import { route } from './route.ts'
import { idInput, idOutput, pageOf, pageQuery, Timestamp } from './schemas.ts'

export const viewerKinds = ['person', 'robot', 'sender'] as const

export const ProposalView = z
  .object({
    id: idOutput('viw'),
    recipientId: idOutput('rcp').describe('Id of the recipient whose link was opened.'),
    kind: z
      .enum(viewerKinds)
      .describe(
        '`person`: the page was visible for two seconds and touched, scrolled or confirmed; `robot`: a link preview, a mail scanner or another program; `sender`: a signed-in member of the organization, or a link with `?preview`. Only `person` counts as a view.',
      ),
    userAgent: z.string().describe('User agent of the browser or program; empty if it sent none.'),
    openings: z.int().describe('Number of openings with this user agent and from the same address, at most one a minute.'),
    firstSeenAt: Timestamp.describe('Time of the first of these openings.'),
    lastSeenAt: Timestamp.describe('Time of the last of these openings.'),
  })
  .meta({ id: 'ProposalView', description: 'Openings of the page of a proposal with one browser or program.' })
export type ProposalView = z.input<typeof ProposalView>

const ListProposalViews = z.strictObject({
  ...pageQuery,
  kind: z.enum(viewerKinds).optional().describe('Only openings of this kind.'),
})
export type ListProposalViews = z.output<typeof ListProposalViews>

export const proposalViews = {
  views: route({
    method: 'GET',
    path: '/v1/proposals/{id}/views',
    summary: 'List the openings of a proposal',
    description:
      'Openings of the page while the proposal was pending, the latest first opening first. Repeated openings with the same browser are one record. At most 100 browsers of each kind are recorded for each recipient.',
    scope: 'proposals:read',
    params: z.object({ id: idInput('prp') }),
    query: ListProposalViews,
    status: 200,
    reply: pageOf(ProposalView),
  }),
}
