import { Anchor, Container, Group, Paper, Stack, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { meQuery } from '../lib/session.ts'
import { Page } from '../shell/page.tsx'
import { useMessages } from '../messages/messages.ts'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'
import { accountMessages } from './account-messages.ts'

/** The account of the user, independent of any organization. */
export function AccountPage() {
  const messages = useMessages(accountMessages)
  const { user } = useSuspenseQuery(meQuery).data
  return (
    <Container component="main" id="content" size={720} py="xl">
      <Group mb="md">
        <Anchor size="sm" py={8} renderRoot={(props) => <Link {...props} to="/" />}>
          <Group gap={4}>
            <IconArrowLeft size={16} aria-hidden />
            {messages.account.back}
          </Group>
        </Anchor>
      </Group>
      <Page title={messages.account.title} description={user.email}>
        <Section title={messages.account.name}>
          <NameForm user={user} />
        </Section>
        <Section title={messages.account.password}>
          <PasswordForm />
        </Section>
        <Section title={messages.twoFactor.title}>
          <TwoFactor on={user.twoFactorEnabled} />
        </Section>
        <Section title={messages.sessions.title}>
          <Sessions />
        </Section>
      </Page>
    </Container>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} aria-label={title}>
      <Stack>
        <Title order={2}>{title}</Title>
        {children}
      </Stack>
    </Paper>
  )
}
