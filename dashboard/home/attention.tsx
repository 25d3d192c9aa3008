import { Paper, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import {
  IconBooks,
  IconChartPie,
  IconChecklist,
  IconDatabaseExclamation,
  IconCircleCheck,
  IconFileDollar,
  IconMailOff,
  IconMessageSearch,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { amountOf } from '../lib/amount.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { Money } from '../shell/money.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { sourceFailures } from '../knowledge/failures.ts'
import { useMessages } from '../messages/messages.ts'
import { sharedMessages } from '../messages/shared.ts'
import type { Overview } from './queries.ts'
import { homeMessages } from './messages.ts'

type Parts = Overview['attention']
type Counted<K extends keyof Parts> = NonNullable<Parts[K]>

/** Lists items that need attention, each with a link to the page where it can be fixed. */
export function Attention({
  attention: { sources, webhooks, expiring, waiting, undelivered, withheld, countersign, tasks, questions, quotas, backup },
}: {
  attention: Parts
}) {
  const { attention: words } = useMessages(homeMessages)
  const total = [sources, webhooks, expiring, waiting, undelivered, withheld, countersign, tasks, questions].reduce(
    (sum, part) => sum + (part?.count ?? 0),
    (quotas?.length ?? 0) + (backup === null ? 0 : 1),
  )
  return (
    <Paper component="section" withBorder p="md" className="home-attention" aria-labelledby="attention">
      <Title order={2} id="attention">
        {words.title}
      </Title>
      <VisuallyHidden role="status">{total === 0 ? words.none : words.some(total)}</VisuallyHidden>
      {total === 0 ? (
        <NothingNeedsAttention />
      ) : (
        <Stack gap="md" mt="xs">
          {backup && <BackupProblem backup={backup} />}
          {quotas && <NearQuotas quotas={quotas} />}
          {sources && <FailedSources sources={sources} />}
          {webhooks && <FailingWebhooks webhooks={webhooks} />}
          {expiring && <Proposals proposals={expiring} heading={words.expiring} time={({ expiresAt }) => [words.expires, expiresAt]} />}
          {countersign && <Proposals proposals={countersign} heading={words.countersign} time={({ sentAt }) => [words.sent, sentAt]} />}
          {undelivered && <Undelivered proposals={undelivered} />}
          {withheld && <Withheld messages={withheld} />}
          {tasks && <Tasks tasks={tasks} />}
          {questions && <Questions questions={questions} />}
          {waiting && <Proposals proposals={waiting} heading={words.waiting} time={({ sentAt }) => [words.sent, sentAt]} />}
        </Stack>
      )}
    </Paper>
  )
}

function NothingNeedsAttention() {
  const { attention: words } = useMessages(homeMessages)
  return (
    <Stack align="center" justify="center" gap="xs" ta="center" flex={1}>
      <ThemeIcon size={48} radius="xl" variant="light">
        <IconCircleCheck size={26} aria-hidden />
      </ThemeIcon>
      <Text fw={600}>{words.none}</Text>
      <Text size="sm" c="dimmed" maw={360}>
        {words.noneHelp}
      </Text>
    </Stack>
  )
}

interface GroupProps {
  icon: TablerIcon
  heading: (count: number) => string
  count: number
  /** Renders the link to the complete list, with a label that counts the hidden entries. */
  more: (label: string) => ReactNode
  children: readonly ReactNode[]
}

/** A group of entries of one type. Renders nothing if there are none. */
function EntryGroup({ icon: Icon, heading, count, more, children }: GroupProps) {
  const { attention: words } = useMessages(homeMessages)
  if (count === 0) return null
  return (
    <section>
      <Title order={3} size="sm" className="home-kind">
        <Icon size={18} stroke={1.7} aria-hidden />
        {heading(count)}
      </Title>
      <ul className="home-list">
        {children}
        {count > children.length && <li className="home-more">{more(words.more(count - children.length))}</li>}
      </ul>
    </section>
  )
}

function Entry({ link, children }: { link: ReactNode; children: ReactNode }) {
  return (
    <li>
      {link}
      <Text size="xs" c="dimmed" component="div" className="wrap">
        {children}
      </Text>
    </li>
  )
}

function BackupProblem({ backup: { problem, newestAt } }: { backup: NonNullable<Parts['backup']> }) {
  const { attention: words } = useMessages(homeMessages)
  const organization = useWorkspace().organization.slug
  return (
    <EntryGroup icon={IconDatabaseExclamation} heading={() => words.backup[problem]} count={1} more={(label) => label}>
      {[
        <Entry
          key={problem}
          link={
            <Link className="home-link" to="/$organization/settings/system" params={{ organization }}>
              {newestAt === null ? words.noBackup : words.newestBackup} {newestAt !== null && <RelativeTime at={newestAt} />}
            </Link>
          }
        >
          {words.backupHelp}
        </Entry>,
      ]}
    </EntryGroup>
  )
}

function NearQuotas({ quotas }: { quotas: NonNullable<Parts['quotas']> }) {
  const { attention: words } = useMessages(homeMessages)
  const { usage } = useMessages(sharedMessages)
  const organization = useWorkspace().organization.slug
  return (
    <EntryGroup icon={IconChartPie} heading={words.quotas} count={quotas.length} more={(label) => label}>
      {quotas.map(({ resource, used, limit }) => (
        <Entry
          key={resource}
          link={
            <Link className="home-link" to="/$organization/settings/organization" params={{ organization }}>
              {usage.of(usage.resources[resource], amountOf(resource, used), amountOf(resource, limit))}
            </Link>
          }
        >
          {words.quotaHelp}
        </Entry>
      ))}
    </EntryGroup>
  )
}

function FailedSources({ sources: { count, data } }: { sources: Counted<'sources'> }) {
  const { attention: words } = useMessages(homeMessages)
  const failures = useMessages(sourceFailures)
  const organization = useWorkspace().organization.slug
  const [first] = data
  const onlyBase = first !== undefined && data.every(({ baseId }) => baseId === first.baseId) ? first.baseId : undefined
  return (
    <EntryGroup
      icon={IconBooks}
      heading={words.sources}
      count={count}
      more={(label) =>
        onlyBase === undefined ? (
          <Link to="/$organization/knowledge" params={{ organization }}>
            {label}
          </Link>
        ) : (
          <Link to="/$organization/knowledge/$baseId/sources" params={{ organization, baseId: onlyBase }}>
            {label}
          </Link>
        )
      }
    >
      {data.map(({ id, baseId, name, baseName, errorCode, status, updatedAt }) => (
        <Entry
          key={id}
          link={
            <Link
              className="home-link"
              to="/$organization/knowledge/$baseId/sources/$sourceId"
              params={{ organization, baseId, sourceId: id }}
            >
              {name}
            </Link>
          }
        >
          {baseName} · {errorCode !== null && failures[errorCode]}
          {status === 'completed' && ` (${words.previousContentServes})`} · <RelativeTime at={updatedAt} />
        </Entry>
      ))}
    </EntryGroup>
  )
}

function FailingWebhooks({ webhooks: { count, data } }: { webhooks: Counted<'webhooks'> }) {
  const { attention: words } = useMessages(homeMessages)
  const organization = useWorkspace().organization.slug
  return (
    <EntryGroup
      icon={IconWebhook}
      heading={words.webhooks}
      count={count}
      more={(label) => (
        <Link to="/$organization/settings/webhooks" params={{ organization }}>
          {label}
        </Link>
      )}
    >
      {data.map(({ id, url, description, enabled, disabledReason, failingSince }) => (
        <Entry
          key={id}
          link={
            <Link className="home-link" to="/$organization/settings/webhooks/$webhookId" params={{ organization, webhookId: id }}>
              {description === '' ? url : description}
            </Link>
          }
        >
          {enabled && failingSince !== null ? (
            <>
              {words.firstFailure} <RelativeTime at={failingSince} />
            </>
          ) : disabledReason === 'gone' ? (
            words.gone
          ) : (
            words.givenUp
          )}
        </Entry>
      ))}
    </EntryGroup>
  )
}

type Proposal = Counted<'expiring'>['data'][number]

interface ProposalsProps {
  proposals: Counted<'expiring'>
  heading: (count: number) => string
  time: (proposal: Proposal) => [label: string, at: string | null]
  /** Shown after the time of a proposal. */
  note?: (proposal: Proposal) => string | undefined
}

/** Proposals whose email failed or was not sent, and those whose contact refuses it. */
function Undelivered({ proposals }: { proposals: Counted<'undelivered'> }) {
  const { attention: words } = useMessages(homeMessages)
  const refused = new Set(proposals.data.filter(({ delivery }) => delivery?.reason === 'do_not_contact').map(({ id }) => id))
  return (
    <Proposals
      proposals={proposals}
      heading={words.undelivered}
      time={({ sentAt }) => [words.sent, sentAt]}
      note={({ id }) => (refused.has(id) ? words.doNotContact : undefined)}
    />
  )
}

/** Messages about proposals that were not sent because their recipient refuses email. */
function Withheld({ messages: { count, data } }: { messages: Counted<'withheld'> }) {
  const { attention: words } = useMessages(homeMessages)
  const organization = useWorkspace().organization.slug
  return (
    <EntryGroup
      icon={IconMailOff}
      heading={words.withheld}
      count={count}
      more={(label) => (
        <Link to="/$organization/proposals" params={{ organization }}>
          {label}
        </Link>
      )}
    >
      {data.map(({ id, kind, proposalId, title, number, createdAt }) => (
        <Entry
          key={id}
          link={
            <Link className="home-link" to="/$organization/proposals/$proposalId" params={{ organization, proposalId }}>
              {title}
            </Link>
          }
        >
          {number} · {words.mailKinds[kind]} · <RelativeTime at={createdAt} /> · {words.doNotContact}
        </Entry>
      ))}
    </EntryGroup>
  )
}

function Proposals({ proposals: { count, data }, heading, time, note }: ProposalsProps) {
  const organization = useWorkspace().organization.slug
  return (
    <EntryGroup
      icon={IconFileDollar}
      heading={heading}
      count={count}
      more={(label) => (
        <Link to="/$organization/proposals" params={{ organization }} search={{ status: 'pending' }}>
          {label}
        </Link>
      )}
    >
      {data.map((proposal) => {
        const [label, at] = time(proposal)
        return (
          <Entry
            key={proposal.id}
            link={
              <Link className="home-link" to="/$organization/proposals/$proposalId" params={{ organization, proposalId: proposal.id }}>
                {proposal.title}
              </Link>
            }
          >
            {proposal.number} · <Money amount={proposal.totalAmount} currency={proposal.currency} />
            {at !== null && (
              <>
                {' · '}
                {label} <RelativeTime at={at} />
              </>
            )}
            {note?.(proposal) !== undefined && ` · ${note(proposal)}`}
          </Entry>
        )
      })}
    </EntryGroup>
  )
}

function Tasks({ tasks: { count, data } }: { tasks: Counted<'tasks'> }) {
  const { attention: words } = useMessages(homeMessages)
  const organization = useWorkspace().organization.slug
  return (
    <EntryGroup icon={IconChecklist} heading={words.tasks} count={count} more={(label) => label}>
      {data.map(({ id, contactId, contactName, text, dueAt }) => (
        <Entry
          key={id}
          link={
            <Link className="home-link" to="/$organization/contacts/$contactId" params={{ organization, contactId }}>
              {text}
            </Link>
          }
        >
          {contactName}
          {dueAt !== null && (
            <>
              {' · '}
              {words.due} <RelativeTime at={dueAt} />
            </>
          )}
        </Entry>
      ))}
    </EntryGroup>
  )
}

function Questions({ questions: { count, data } }: { questions: Counted<'questions'> }) {
  const { attention: words } = useMessages(homeMessages)
  const organization = useWorkspace().organization.slug
  return (
    <EntryGroup
      icon={IconMessageSearch}
      heading={words.questions}
      count={count}
      more={(label) => (
        <Link to="/$organization/knowledge" params={{ organization }}>
          {label}
        </Link>
      )}
    >
      {data.map(({ baseId, baseName, question, times, lastAt }) => (
        <Entry
          key={`${baseId} ${question}`}
          link={
            <Link className="home-link" to="/$organization/knowledge/$baseId/searches" params={{ organization, baseId }}>
              {question}
            </Link>
          }
        >
          {baseName} · {words.asked(times)} · <RelativeTime at={lastAt} />
        </Entry>
      ))}
    </EntryGroup>
  )
}
