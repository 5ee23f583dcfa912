#ifndef FAULTS_H
#define FAULTS_H

#include "Scope.h"

/// Counts a call if the scope's fault concerns it. Returns the code with which the call fails; SQLITE_OK otherwise.
///
/// - Parameter writes_half: Receives whether a failing xWrite writes the first half; NULL for other methods.
int fault_code(
    struct cfaultvfs_scope *scope, enum cfaultvfs_method method, enum cfaultvfs_kind kind, int *writes_half);

#endif
