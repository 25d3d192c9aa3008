import { Button, Container } from '@mantine/core'
import { IconCompass } from '@tabler/icons-react'
import { Link, Outlet, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isSignedOut } from '../lib/errors.ts'
import { isCodeMissing } from '../lib/missing-code.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { Failure } from './failure.tsx'
import { MissingCode } from './missing-code.tsx'
import { Page } from './page.tsx'
import { restoreFocus } from './restore-focus.ts'
import { EmptyState, ErrorState } from './states.tsx'

/**
 * Moves the focus to the heading of each new page, so that screen readers announce it. A dialog that was opened while the page loaded
 * keeps the focus.
 */
export function Root() {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
        if (fromLocation === undefined || fromLocation.pathname === toLocation.pathname) return
        const hasDialog = document.activeElement?.closest('[role=dialog]') != null
        if (!hasDialog) document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
      }),
    [router],
  )
  useEffect(restoreFocus, [])
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

/** Shown if a page fails to load or to render. The layout around it stays. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const messages = useMessages(sharedMessages)
  const router = useRouter()
  if (isSignedOut(error)) return null
  if (isCodeMissing(error)) return <MissingCode error={error} />
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
