/**
 * Stored text is data: nothing in it may close or imitate the fences that heed puts around it, or look like the
 * client's own reminders. Angle brackets of such tags are replaced by look-alikes; everything else stays as written.
 */
export function defuse(text: string): string {
  return text.replace(/<(?=\s*\/?\s*(?:heed|system|user|assistant|human|instructions?)\b)/gi, "‹");
}
