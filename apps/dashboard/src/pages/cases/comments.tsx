import { useState } from 'react';
import { Badge, sentenceCase } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { ExternalLink } from '../../components/links.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { Ago } from '../../components/time.tsx';
import { useKeysetRows } from '../../lib/keyset-rows.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { type ErrorOf, OperationForm } from '../../operation/operation-form.tsx';

type Comment = Outputs['cases']['comments']['list']['data'][number];

const SHOWN = 20;

export function Comments({ caseId }: { caseId: string }): React.JSX.Element {
  const trpc = useTRPC();
  const [shown, setShown] = useState(SHOWN);
  const rows = useKeysetRows((page) => trpc.cases.comments.list.queryOptions({ case_id: caseId, ...page }));
  if (rows.error != null && rows.count === 0) return <ErrorState error={rows.error} onRetry={rows.retry} />;
  if (rows.isLoading) return <Loading label="Loading comments" />;
  if (rows.count === 0) return <EmptyState title="No comments yet" />;
  const comments = Array.from({ length: Math.min(shown, rows.count) }, (_, i) => rows.rowAt(i));
  return (
    <div className="flex flex-col gap-4">
      <ul className="flex flex-col gap-4">
        {comments.map((comment) => comment && <CommentItem key={comment.id} comment={comment} />)}
      </ul>
      {(shown < rows.count || rows.hasMore) && (
        <Button
          repeats
          onClick={() => {
            setShown(shown + SHOWN);
            rows.show(0, shown + SHOWN);
          }}
        >
          Show older comments
        </Button>
      )}
    </div>
  );
}

function CommentItem({ comment }: { comment: Comment }): React.JSX.Element {
  return (
    <li className="rounded-lg border p-4">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <bdi className="font-medium">{comment.author.name}</bdi>
        <span className="text-muted">{sentenceCase(comment.author.type)}</span>
        <span className="text-muted">
          <Ago at={comment.created_at} />
        </span>
        {comment.visibility === 'internal' && <Badge tone="warn">Internal</Badge>}
      </p>
      <p className="mt-2 text-sm whitespace-pre-wrap wrap-anywhere">{comment.body}</p>
      {comment.attachments.length > 0 && (
        <ul aria-label="Attachments" className="mt-2 flex flex-col gap-1 text-sm">
          {comment.attachments.map(({ name, url }) => (
            <li key={`${name} ${url}`}>
              <ExternalLink href={url}>{name}</ExternalLink>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function AttachmentFields({ errorOf }: { errorOf: ErrorOf }): React.JSX.Element {
  return (
    <details>
      <summary className="text-sm">Attach a link</summary>
      <div className="mt-2 flex flex-col gap-3">
        <TextField
          label="URL"
          name="attachment_url"
          type="url"
          placeholder="https://…"
          error={errorOf('attachments')}
        />
        <TextField label="Name (optional)" name="attachment_name" />
      </div>
    </details>
  );
}

function readAttachments(data: FormData): { value: unknown } {
  const url = formText(data, 'attachment_url');
  return { value: url && [{ name: formText(data, 'attachment_name') ?? url, url }] };
}

export function CommentForm({ caseId }: { caseId: string }): React.JSX.Element {
  return (
    <OperationForm
      operation="cases.comments.create"
      submit="Post comment"
      done="Comment posted."
      resets
      fixed={{ case_id: caseId }}
      fields={{
        body: { label: 'Comment' },
        visibility: {
          hint: 'Internal comments are hidden from read keys and from endpoints that don’t include them.',
          choices: [
            ['public', 'Public'],
            ['internal', 'Internal'],
          ],
        },
        attachments: { slot: (errorOf) => <AttachmentFields errorOf={errorOf} />, read: readAttachments },
      }}
    />
  );
}
