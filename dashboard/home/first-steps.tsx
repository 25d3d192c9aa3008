import { CloseButton, Group, Paper, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import type { Overview } from './queries.ts'
import { stepsOf, type Step } from './steps.ts'
import { homeMessages } from './messages.ts'

/** Loaded only while there is no knowledge base. */
const AddSample = lazy(() => import('../knowledge/sample/add-sample.tsx'))

/** Shows the first steps until all are done or the user hides them. */
export function FirstSteps({ totals, searches }: Pick<Overview, 'totals' | 'searches'>) {
  const { steps: words } = useMessages(homeMessages)
  const { organization } = useWorkspace()
  const storageKey = `groundwork-first-steps-hidden-${organization.id}`
  const [hidden, setHidden] = useState(() => localStorage.getItem(storageKey) !== null)
  const steps = stepsOf({ totals, searches }, organization.scopes)
  const done = steps.filter((step) => step.done).length
  if (hidden || done === steps.length) return null
  const hide = (): void => {
    localStorage.setItem(storageKey, 'yes')
    setHidden(true)
  }
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="first-steps">
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Group gap="sm">
          <Title order={2} id="first-steps">
            {words.title}
          </Title>
          <Text size="sm" c="dimmed">
            {words.progress(done, steps.length)}
          </Text>
        </Group>
        <CloseButton size={36} aria-label={words.hide} onClick={hide} />
      </Group>
      <ol className="home-steps">
        {steps.map((step) => (
          <StepLink key={step.name} step={step} />
        ))}
      </ol>
      {totals.bases === 0 && organization.scopes.includes('sources:write') && (
        <Suspense>
          <AddSample />
        </Suspense>
      )}
    </Paper>
  )
}

function StepLink({ step: { name, to, done } }: { step: Step }) {
  const { steps: words } = useMessages(homeMessages)
  const { organization } = useWorkspace()
  const [title, help] = words[name]
  return (
    <li>
      <Link to={to} params={{ organization: organization.slug }} {...(done && { className: 'done' })}>
        {done ? <IconCircleCheckFilled size={20} aria-hidden /> : <IconCircle size={20} stroke={1.5} aria-hidden />}
        <span>
          <Text span size="sm" fw={500} display="block">
            {title}
            {done && <VisuallyHidden>: {words.done}</VisuallyHidden>}
          </Text>
          <Text span size="xs" c="dimmed" display="block">
            {help}
          </Text>
        </span>
      </Link>
    </li>
  )
}
