import { z } from 'zod'
import { Company } from './companies.ts'
import { listedSince, mergeInput, unmergeDays } from './merge-input.ts'
import { route } from './route.ts'
import { idInput, idOutput } from './schemas.ts'

/** The fields of companies whose value can be chosen. */
export const choosableCompanyFields = ['externalId', 'name', 'phone', 'address', 'vatId'] as const
export type ChoosableCompanyField = (typeof choosableCompanyFields)[number]

const MergeCompanies = z
  .strictObject(mergeInput({ prefix: 'co', names: ['company', 'companies'], choosable: choosableCompanyFields }))
  .meta({
    id: 'MergeCompanies',
    description: 'Companies that become one.',
    examples: [
      {
        otherIds: ['co_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f9'],
        fields: { name: 'co_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f9' },
        dryRun: true,
      },
    ],
  })
export type MergeCompanies = z.output<typeof MergeCompanies>

const MergedCompany = z
  .object({
    dryRun: z.boolean().describe('Whether nothing was changed.'),
    company: Company.describe('The company after the merge.'),
    contacts: z.int().describe('Number of contacts of the other companies that belong to the company shortly afterwards.'),
    omitted: z
      .array(
        z.object({
          field: z.enum(['domains', 'tags']).describe('The list that is full.'),
          value: z.string().describe('The value of the other company.'),
        }),
      )
      .describe('Values that exceed the maximum length of a list. Undoing the merge brings them back.'),
  })
  .meta({ id: 'MergedCompany', description: 'The result of a merge of companies.' })
export type MergedCompany = z.input<typeof MergedCompany>

const UnmergeCompany = z.strictObject({ mergedId: idInput('co').describe('Id of the company that was merged into this one.') }).meta({
  id: 'UnmergeCompany',
  description: 'The merge to undo.',
  examples: [{ mergedId: 'co_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f9' }],
})
export type UnmergeCompany = z.output<typeof UnmergeCompany>

const UnmergedCompany = z
  .object({
    company: Company.describe('The company, without the values of the other one.'),
    restored: Company.describe('The company that was merged, as it was before.'),
    keptFields: z.array(z.string()).describe('Fields that were changed since the merge, such as `phone`: they keep these changes.'),
    keptContactIds: z
      .array(idOutput('ctc'))
      .describe(`${listedSince('contacts that came to the company, other than with a merge,')} They stay with the company.`),
  })
  .meta({ id: 'UnmergedCompany', description: 'Both companies after undoing a merge.' })
export type UnmergedCompany = z.input<typeof UnmergedCompany>

const params = z.object({ id: idInput('co') })

export const companyMerges = {
  merge: route({
    method: 'POST',
    path: '/v1/companies/{id}/merge',
    summary: 'Merge companies into one',
    description: `The company in the path stays, and domains, tags and custom fields of the others are added to its own. The others disappear at once, and their contacts belong to the company shortly afterwards, with a \`contact.updated\` event for each. Can be undone for ${unmergeDays} days.`,
    scope: 'contacts:write',
    params,
    body: MergeCompanies,
    status: 200,
    reply: MergedCompany,
    errors: ['conflict'],
  }),
  unmerge: route({
    method: 'POST',
    path: '/v1/companies/{id}/unmerge',
    summary: 'Undo a merge of companies',
    description: `Possible for ${unmergeDays} days after the merge. Both companies get back their values, and shortly afterwards the other one its contacts, unless they belong to another company by then. Changes since the merge stay with the company in the path. 409 if the company with \`mergedId\` was merged indirectly, or if another company has taken an \`externalId\` or a domain since.`,
    scope: 'contacts:write',
    params,
    body: UnmergeCompany,
    status: 200,
    reply: UnmergedCompany,
    errors: ['conflict'],
  }),
}
