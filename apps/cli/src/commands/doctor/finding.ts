/** The result of one check. */
export interface DoctorFinding {
  readonly subject: string;
  readonly state: 'ok' | 'note' | 'problem';
  readonly message: string;
  /** What to do about it. */
  readonly advice?: string;
}
