import { Box, Button, Center, Container, Skeleton } from '@mantine/core'
import { IconCompass, IconMoodSad } from '@tabler/icons-react'
import { Link, Outlet, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isSignedOut } from '../lib/errors.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { Page } from './page.tsx'
import { EmptyState, ErrorState, SkeletonRows } from './states.tsx'

/** Moves the focus to the heading of each new page, so that screen readers announce it. */
export function Root() {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
        if (fromLocation === undefined || fromLocation.pathname === toLocation.pathname) return
        document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
      }),
    [router],
  )
  return <Outlet />
}

export function NotFoundPage() {
  const messages = useMessages(sharedMessages)
  return (
    <Container py="xl">
      <Page title={messages.notFound}>
        <EmptyState
          icon={IconCompass}
          title={messages.notFoundHelp}
          action={<Button renderRoot={(props) => <Link {...props} to="/" />}>{messages.toStart}</Button>}
        >
          {null}
        </EmptyState>
      </Page>
    </Container>
  )
}

/** Shown while the code or the data of a page loads. */
export function PendingPage() {
  const { loading } = useMessages(sharedMessages)
  return (
    <Box role="status" aria-busy aria-label={loading}>
      <Skeleton height={34} width={220} mb="lg" />
      <SkeletonRows />
    </Box>
  )
}

/** Shown if a page fails to load or to render. The layout around it stays. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const messages = useMessages(sharedMessages)
  const router = useRouter()
  if (isSignedOut(error)) return null
  if (isOldVersion(error)) {
    if (!navigator.onLine)
      return (
        <Failure
          title={messages.loadFailed}
          help={messages.errors.connection}
          action={messages.retry}
          onClick={() => window.location.reload()}
        />
      )
    return <Failure title={messages.broken} help={messages.newVersion} action={messages.reload} onClick={() => window.location.reload()} />
  }
  if (error instanceof TypeError || error instanceof ReferenceError) {
    return <Failure title={messages.broken} help={messages.brokenHelp} action={messages.reload} onClick={() => window.location.reload()} />
  }
  return (
    <Container py="xl">
      <Page title={messages.loadFailed}>
        <ErrorState
          error={error}
          retry={() => {
            reset()
            void router.invalidate()
          }}
        />
      </Page>
    </Container>
  )
}

function Failure({ title, help, action, onClick }: { title: string; help: string; action: string; onClick: () => void }) {
  return (
    <Center>
      <Page title={title}>
        <EmptyState icon={IconMoodSad} title={help} action={<Button onClick={onClick}>{action}</Button>}>
          {null}
        </EmptyState>
      </Page>
    </Center>
  )
}

/** Returns whether a file of this version is missing because the server was updated after the page was loaded. */
const isOldVersion = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message)
