// Package filelog keeps the records of matches in files: one file a match, one
// line an event, just as package replay reads them.
//
// [OpenFile] gives the log of a single file, [Store] a directory of them. No file is
// held open between calls, so thousands of waiting matches cost no descriptors
// and there is nothing to close.
//
// # Who may write
//
// An append locks the file (flock) for as long as it takes, against other
// logs of the same file in this process and others, and compares where it
// expects to write with where the file ends: a referee that was replaced finds
// lines that it did not write and gets [referee.ErrFenced]. So does one whose
// file was replaced by another, or does not hold the last line that it knows. The lock ends with
// the process that holds it. File systems that do not honour flock between
// machines fence only within one machine.
//
// # What survives a crash
//
// By default an append returns when its lines are on stable storage (fsync, the
// directory's too for a new file); with Options.NoSync a crash of the machine,
// though not of the process, may lose the latest lines. A batch that could not
// be written whole is taken back. A process that dies while it writes may leave
// a last line without its newline; nobody was told of it. The next log of that
// file drops it and reports so; nothing else is ever removed. A file that does
// not begin as a record is refused with [ErrNotRecord] and stays as it is.
package filelog
