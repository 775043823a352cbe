/** What there is to do where the way to a file, and not its content, keeps it from being opened: by the code of the system. */
export const wayTo: Readonly<Record<string, string | undefined>> = {
  ELOOP: 'It is a link that leads back to itself, or lies behind one. Mend or remove it.',
  ENAMETOOLONG: 'It is a link to a longer name than there can be, or lies behind one. Mend or remove it.',
  ENOTDIR: 'A folder above it is a file. Move that away.',
  EACCES: 'Make it a file that you may read.',
  EPERM: 'Make it a file that you may read.',
};
