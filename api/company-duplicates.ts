import { z } from 'zod'
import { Company } from './companies.ts'
import { duplicateCount, pairFields, pairFilters } from './duplicate-pairs.ts'
import { route } from './route.ts'
import { idInput, idOutput, pageOf, pageQuery } from './schemas.ts'

const companyDuplicateReasons = ['name', 'similar_name', 'vat_id', 'phone', 'address', 'domain'] as const
export type CompanyDuplicateReason = (typeof companyDuplicateReasons)[number]

const ListCompanyDuplicates = z.strictObject({
  ...pageQuery,
  companyId: idInput('co').optional().describe('Only pairs with this company.'),
  ...pairFilters('the same company'),
})
export type ListCompanyDuplicates = z.output<typeof ListCompanyDuplicates>

const CountCompanyDuplicates = ListCompanyDuplicates.omit({ limit: true, cursor: true })
export type CountCompanyDuplicates = z.output<typeof CountCompanyDuplicates>

const CompanyDuplicate = z
  .object({
    id: idOutput('cdp'),
    companies: z.array(Company).length(2).describe('The two companies, the older one first.'),
    confidence: z.number().meta({ description: 'How likely the companies are the same, 0 to 1.', examples: [0.97] }),
    reasons: z
      .array(z.enum(companyDuplicateReasons))
      .describe(
        'The values that the companies have in common. `name` is the same name without the legal form; `similar_name` one with a typing error or another spelling, or a part of the other one. `domain` is the name that both registered under different endings, such as `example.com` and `example.org`.',
      ),
    ...pairFields('the same company'),
  })
  .meta({ id: 'CompanyDuplicate', description: 'Two companies that are probably the same.' })
export type CompanyDuplicate = z.input<typeof CompanyDuplicate>

export const companyDuplicates = {
  list: route({
    method: 'GET',
    path: '/v1/companies/duplicates',
    summary: 'List pairs of companies that are probably the same, newest first',
    description:
      'Written companies are compared in the background, usually within a second. A pair disappears when one of its companies is changed accordingly, merged or deleted.',
    scope: 'contacts:read',
    query: ListCompanyDuplicates,
    status: 200,
    reply: pageOf(CompanyDuplicate),
  }),
  count: route({
    method: 'GET',
    path: '/v1/companies/duplicates/count',
    summary: 'Count pairs of companies that are probably the same',
    description: 'Counts the pairs that meet the filters of the list.',
    scope: 'contacts:read',
    query: CountCompanyDuplicates,
    status: 200,
    reply: duplicateCount('CompanyDuplicateCount'),
  }),
  dismiss: route({
    method: 'POST',
    path: '/v1/companies/duplicates/{id}/dismiss',
    summary: 'Remember that two companies are not the same',
    answer: 'The dismissed pair.',
    description: 'The pair is not offered again. Idempotent. 403 for an agent’s token.',
    scope: 'contacts:write',
    params: z.object({ id: idInput('cdp') }),
    status: 200,
    reply: CompanyDuplicate,
  }),
}
