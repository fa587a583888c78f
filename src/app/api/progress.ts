/** Reports how far a long job is. */
export type Progress = (done: number, total: number, what: string) => void;
