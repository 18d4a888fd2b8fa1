"""Many sessions under random faults for minutes: ``make soak``. Every answer is compared with the right one."""
