import type { Company, CompanyDuplicate } from '@groundwork/api'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../lib/workspace.ts'
import { pairMessages } from '../../messages/duplicates.ts'
import { useMessages } from '../../messages/messages.ts'
import { DismissPair, Pair, PairRecord, Pairs } from '../../shell/duplicates/pairs.tsx'
import { Page } from '../../shell/page.tsx'
import { formErrors } from '../errors.ts'
import { companiesLabel } from '../label.ts'
import { MergeDialog } from '../merge-company.tsx'
import { companiesKey, companyDuplicatesQuery } from '../queries.ts'
import { companyDuplicateMessages } from './messages.ts'

/** The pairs of companies that are probably the same. */
export function DuplicatesPage() {
  const messages = useMessages(companyDuplicateMessages)
  const { title } = useMessages(pairMessages)
  const companies = useMessages(companiesLabel)
  const query = useInfiniteQuery(companyDuplicatesQuery(useWorkspace()))
  return (
    <Page guide="companies" title={title} description={messages.about} crumbs={[{ label: companies, to: '/$organization/companies' }]}>
      <Pairs query={query} noneHelp={messages.noneHelp}>
        {(pair) => <CompanyPair key={pair.id} pair={pair} />}
      </Pairs>
    </Page>
  )
}

function CompanyPair({ pair }: { pair: CompanyDuplicate }) {
  const messages = useMessages(companyDuplicateMessages)
  const { organization } = useWorkspace()
  const [one, other] = pair.companies
  if (one === undefined || other === undefined) return null
  const link = ({ id, name }: Company) => (
    <Link
      className="row-link cut"
      dir="auto"
      title={name}
      to="/$organization/companies/$companyId"
      params={{ organization: organization.slug, companyId: id }}
    >
      {name}
    </Link>
  )
  return (
    <Pair
      names={[one.name, other.name]}
      confidence={pair.confidence}
      reasons={pair.reasons.map((reason) => messages.reasons[reason])}
      records={[one, other].map((company) => (
        <PairRecord
          key={company.id}
          link={link(company)}
          name={company.name}
          values={[company.domains.join(', ') || null, company.phone, company.vatId, company.address?.city ?? null]}
          createdAt={company.createdAt}
        />
      ))}
      actions={<Actions pair={pair} one={one} other={other} />}
    />
  )
}

/** The merge into the older company, and the dismissal of the pair. */
function Actions({ pair, one, other }: { pair: CompanyDuplicate; one: Company; other: Company }) {
  const messages = useMessages(companyDuplicateMessages)
  const { client, organization } = useWorkspace()
  const [merging, { open, close }] = useDisclosure()
  return (
    <>
      <DismissPair
        question={{ title: messages.confirm(one.name, other.name), body: messages.confirmHelp }}
        dismiss={() => client.companies.duplicates.dismiss(pair.id)}
        invalidates={() => [[organization.id, ...companiesKey]]}
        shownError={(error) => formErrors(error).error}
      />
      <Button onClick={open}>{messages.merge}</Button>
      {merging && <MergeDialog company={other} target={one.id} onClose={close} />}
    </>
  )
}
