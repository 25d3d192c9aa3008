import type { Contact, ContactDuplicate } from '@groundwork/api'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { contactName } from '../../lib/contact.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { pairMessages } from '../../messages/duplicates.ts'
import { useMessages } from '../../messages/messages.ts'
import { ContactRowLink } from '../../shell/contact-row-link.tsx'
import { DismissPair, Pair, PairRecord, Pairs } from '../../shell/duplicates/pairs.tsx'
import { Page } from '../../shell/page.tsx'
import { shownError } from '../list/errors.ts'
import { contactsLabel } from '../messages.ts'
import { duplicatesKey } from '../keys.ts'
import { duplicateMessages } from './messages.ts'
import { duplicatesQuery } from './queries.ts'

/** The pairs of contacts that are probably the same person. */
export function DuplicatesPage() {
  const messages = useMessages(duplicateMessages)
  const { title } = useMessages(pairMessages)
  const contacts = useMessages(contactsLabel)
  const query = useInfiniteQuery(duplicatesQuery(useWorkspace()))
  return (
    <Page guide="duplicates" title={title} description={messages.about} crumbs={[{ label: contacts, to: '/$organization/contacts' }]}>
      <Pairs query={query} noneHelp={messages.noneHelp}>
        {(pair) => <ContactPair key={pair.id} pair={pair} />}
      </Pairs>
    </Page>
  )
}

function ContactPair({ pair }: { pair: ContactDuplicate }) {
  const messages = useMessages(duplicateMessages)
  const [one, other] = pair.contacts
  if (one === undefined || other === undefined) return null
  return (
    <Pair
      names={[contactName(one), contactName(other)]}
      confidence={pair.confidence}
      reasons={pair.reasons.map((reason) => messages.reasons[reason])}
      records={[one, other].map((contact) => (
        <PairRecord
          key={contact.id}
          link={<ContactRowLink contact={contact} className="cut" />}
          name={contactName(contact)}
          values={[contact.jobTitle, contact.email, contact.phone]}
          createdAt={contact.createdAt}
        />
      ))}
      actions={<Actions pair={pair} one={one} other={other} />}
    />
  )
}

/** The merge into the older contact, and the dismissal of the pair. */
function Actions({ pair, one, other }: { pair: ContactDuplicate; one: Contact; other: Contact }) {
  const messages = useMessages(duplicateMessages)
  const { client, organization } = useWorkspace()
  return (
    <>
      <DismissPair
        question={{ title: messages.confirm(contactName(one), contactName(other)), body: messages.confirmHelp }}
        dismiss={() => client.contacts.duplicates.dismiss(pair.id)}
        invalidates={() => [[organization.id, ...duplicatesKey]]}
        shownError={(error) => shownError(error, 'change')}
      />
      <Button
        renderRoot={(props) => (
          <Link
            {...props}
            to="/$organization/contacts/$contactId/merge"
            params={{ organization: organization.slug, contactId: one.id }}
            search={{ other: other.id }}
          />
        )}
      >
        {messages.merge}
      </Button>
    </>
  )
}
