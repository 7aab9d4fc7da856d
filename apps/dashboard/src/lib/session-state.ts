/** The response of `/dashboard/session`. */
export interface SessionState {
  object: 'session';
  id: string;
  /** Sent in the header `x-csrf-token` of every request except plain reads. */
  csrf_token: string;
  role: 'owner' | 'member' | 'viewer';
  account: { id: string; name: string; mode: 'live' | 'test' };
  api_key: {
    id: string;
    name: string;
    scope: 'human' | 'read';
    company_ids: string[] | null;
    permissions: string[] | null;
  };
  created_at: string;
  expires_at: string;
}
