/** Declares a setting of a container's cgroup for which Docker's API has no field. */

/** A cgroup file and the value to write. An optional setting is omitted if the file doesn't exist. */
export interface CgroupSetting {
  readonly file: string;
  readonly value: string;
  readonly isOptional?: true;
}
