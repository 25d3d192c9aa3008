import { Button, Center, Container } from '@mantine/core'
import { IconCompass, IconMoodSad } from '@tabler/icons-react'
import { Link, Outlet, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isSignedOut } from '../lib/errors.ts'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'
import { Page } from './page.tsx'
import { EmptyState, ErrorState } from './states.tsx'

/** Whoever listens to a page instead of seeing it is told of a new one by its heading. */
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
  const words = useWords(sharedWords)
  return (
    <Container py="xl">
      <Page title={words.notFound}>
        <EmptyState
          icon={IconCompass}
          title={words.notFoundHelp}
          action={<Button renderRoot={(props) => <Link {...props} to="/" />}>{words.toStart}</Button>}
        >
          {null}
        </EmptyState>
      </Page>
    </Container>
  )
}

/** Of a page whose loading or rendering failed; the frame around it stays. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const words = useWords(sharedWords)
  const router = useRouter()
  if (isSignedOut(error)) return null
  if (isOldVersion(error)) {
    return <Failure title={words.broken} help={words.newVersion} action={words.reload} onClick={() => window.location.reload()} />
  }
  if (error instanceof TypeError || error instanceof ReferenceError) {
    return <Failure title={words.broken} help={words.brokenHelp} action={words.reload} onClick={() => window.location.reload()} />
  }
  return (
    <Container py="xl">
      <Page title={words.loadFailed}>
        <ErrorState
          error={error}
          again={() => {
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

/** The program was updated since the page was loaded, and the parts that this version would load now are gone. */
const isOldVersion = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message)
