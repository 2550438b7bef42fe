"""The files of the object store as the database knows them: who holds each, and which may go."""
