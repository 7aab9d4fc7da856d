import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { CodeBlock, SecretOnce } from '../../../components/copy.tsx';
import { Ago } from '../../../components/time.tsx';
import type { Outputs } from '../../../lib/trpc.ts';
import { useCompanies } from '../../../lib/use-companies.ts';
import { useSession } from '../../../lib/use-session.ts';
import { OperationDialog } from '../../../operation/operation-dialog.tsx';
import { type ApiKey, pushCommands } from './keys.view.ts';

interface KeyDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

export function RotateKeyDialog({ apiKey, onClose }: KeyDialogProps): React.JSX.Element {
  return (
    <OperationDialog
      operation="apiKeys.rotate"
      title={`Rotate “${apiKey.name}”`}
      submit="Rotate key"
      fixed={{ key_id: apiKey.id }}
      fields={{
        overlap_seconds: {
          label: 'Old key expires',
          initial: '86400',
          choices: [
            ['0', 'Immediately'],
            ['3600', 'In 1 hour'],
            ['86400', 'In 1 day'],
            ['604800', 'In 7 days'],
          ],
        },
      }}
      result={{
        title: `New key for “${apiKey.name}”`,
        content: (created) => <NewKey created={created} onClose={onClose} />,
      }}
      onClose={onClose}
    >
      <p>Creates a key with the same scope and limits. Both keys work until the old one expires.</p>
      <OwnKeyWarning apiKey={apiKey}>Your session ends when the old key expires.</OwnKeyWarning>
    </OperationDialog>
  );
}

export function RevokeKeyDialog({ apiKey, onClose }: KeyDialogProps): React.JSX.Element {
  return (
    <OperationDialog
      operation="apiKeys.revoke"
      title={`Revoke “${apiKey.name}”?`}
      submit="Revoke key"
      danger
      done={`API key “${apiKey.name}” revoked.`}
      fixed={{ key_id: apiKey.id }}
      fields={{ reason: { hint: 'Included in the api_key.revoked event.' } }}
      onClose={onClose}
    >
      <p>The key and all its sessions stop working within a second. This can’t be undone.</p>
      <p>
        {apiKey.last_used_at === null ? (
          'Never used.'
        ) : (
          <>
            Last used <Ago at={apiKey.last_used_at} />
            {apiKey.last_used_ip !== null && ` from ${apiKey.last_used_ip}`}.
          </>
        )}
      </p>
      <OwnKeyWarning apiKey={apiKey}>Revoking this key signs you out immediately.</OwnKeyWarning>
    </OperationDialog>
  );
}

function OwnKeyWarning({ apiKey, children }: { apiKey: ApiKey; children: ReactNode }): React.JSX.Element | null {
  const { api_key: own } = useSession();
  if (own.id !== apiKey.id) return null;
  return (
    <p className="rounded-md border border-warn bg-warn-soft p-3 text-sm text-warn">
      You are signed in with this key. {children}
    </p>
  );
}

function PushCommands({ created }: { created: ApiKey }): React.JSX.Element {
  const { all } = useCompanies();
  return (
    <>
      <p className="text-sm">
        Send these to the provider with the key. They store nothing until <code>dry_run=true</code> is removed.
      </p>
      {pushCommands(created, location.origin, all[0]?.id).map(({ label, text }) => (
        <CodeBlock key={label} label={label} text={text} />
      ))}
    </>
  );
}

export function NewKey({ created, onClose }: { created: Outputs['apiKeys']['create']; onClose: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <SecretOnce secret={created.key} label={`API key ${created.name}`} />
      <CodeBlock label="Send with every request" text={`Authorization: Bearer ${created.key}`} />
      {created.scope === 'ingest' ? (
        <PushCommands created={created} />
      ) : (
        <CodeBlock
          label="Try the key"
          text={`curl ${location.origin}/api/v1/me \\\n  -H "Authorization: Bearer $FINHOOK_API_KEY"`}
        />
      )}
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          I’ve stored it
        </Button>
      </div>
    </div>
  );
}
