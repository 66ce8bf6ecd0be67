"""Scenes for `promtool test rules`: for each alert what makes it fire, five minutes to an hour on."""

# Metrics of a healthy worker and gateway, each 15 s. `a+bxn`: from a, n times b more.
HEALTHY = {
    'up{job="flyscreen-worker",instance="w1"}': "1x400",
    'flyscreen_ready{job="flyscreen-worker",instance="w1"}': "1x400",
    'flyscreen_unready{job="flyscreen-worker",instance="w1",reason="stuck"}': "0x400",
    'flyscreen_unready{job="flyscreen-worker",instance="w1",reason="restoring"}': "0x400",
    'flyscreen_broker_reachable{job="flyscreen-worker",instance="w1"}': "1x400",
    'flyscreen_partition_worked_on{job="flyscreen-worker",instance="w1",topic="im.gifts",partition="0"}': "1x400",
    'flyscreen_partition_worked_on{job="flyscreen-worker",instance="w2",topic="im.gifts",partition="0"}': "0x400",
    'flyscreen_partitions_hanging{job="flyscreen-worker",instance="w1",topic="render.commands"}': "0x400",
    'flyscreen_partitions_hanging{job="flyscreen-gateway",instance="g1",topic="render.commands"}': "0x400",
    'flyscreen_lag_seconds{job="flyscreen-worker",instance="w1",topic="im.gifts",partition="0"}': "0.2x400",
    'flyscreen_lag_age_seconds{job="flyscreen-worker",instance="w1"}': "3x400",
    'flyscreen_transactions_total{job="flyscreen-worker",instance="w1",outcome="committed"}': "0+300x400",
    'flyscreen_transactions_total{job="flyscreen-worker",instance="w1",outcome="failed"}': "0x400",
    'flyscreen_transaction_seconds_bucket{job="flyscreen-worker",instance="w1",le="0.05"}': "0+300x400",
    'flyscreen_transaction_seconds_bucket{job="flyscreen-worker",instance="w1",le="5"}': "0+300x400",
    'flyscreen_transaction_seconds_bucket{job="flyscreen-worker",instance="w1",le="+Inf"}': "0+300x400",
    'flyscreen_dead_letters_total{job="flyscreen-worker",instance="w1",reason="not_json"}': "0x400",
    'flyscreen_records_lost_total{job="flyscreen-worker",instance="w1"}': "0x400",
    'flyscreen_restores_inexact_total{job="flyscreen-worker",instance="w1"}': "0x400",
    'flyscreen_partitions_restarted_total{job="flyscreen-worker",instance="w1"}': "0x400",
    'flyscreen_partitions{job="flyscreen-worker",instance="w1",phase="resting"}': "0x400",
    'flyscreen_inexact_seconds{job="flyscreen-worker",instance="w1",topic="im.gifts"}': "640x400",
    'flyscreen_restore_foreign_records_total{job="flyscreen-worker",instance="w1"}': "0x400",
    'flyscreen_member_hand_overs_total{job="flyscreen-worker",instance="w1"}': "0x400",
    'flyscreen_settings_info{job="flyscreen-worker",instance="w1",hash="a"}': "1x400",
    'flyscreen_settings_info{job="flyscreen-worker",instance="w2",hash="a"}': "1x400",
    'flyscreen_settings_info{job="flyscreen-worker-canary",instance="w3",hash="b"}': "1x400",
    'flyscreen_loudest_room_commands_per_second{job="flyscreen-worker",instance="w1"}': "21x400",
    'flyscreen_clock_seconds{job="flyscreen-worker",instance="w1"}': "0.1+15x400",
    'flyscreen_log_ahead_seconds{job="flyscreen-worker",instance="w1"}': "0x400",
    'process_open_fds{job="flyscreen-gateway",instance="g1"}': "1000x400",
    'process_max_fds{job="flyscreen-gateway",instance="g1"}': "65536x400",
    'flyscreen_gateway_delay_seconds_bucket{job="flyscreen-gateway",instance="g1",le="0.05"}': "0+900x400",
    'flyscreen_gateway_delay_seconds_bucket{job="flyscreen-gateway",instance="g1",le="5"}': "0+900x400",
    'flyscreen_gateway_delay_seconds_bucket{job="flyscreen-gateway",instance="g1",le="+Inf"}': "0+900x400",
    'flyscreen_gateway_loop_delay_seconds_bucket{job="flyscreen-gateway",instance="g1",le="0.05"}': "0+30x400",
    'flyscreen_gateway_loop_delay_seconds_bucket{job="flyscreen-gateway",instance="g1",le="5"}': "0+30x400",
    'flyscreen_gateway_loop_delay_seconds_bucket{job="flyscreen-gateway",instance="g1",le="+Inf"}': "0+30x400",
    'flyscreen_thread_cpu_seconds_total{job="flyscreen-gateway",instance="g1",thread="feed"}': "0+3x400",
    'flyscreen_thread_cpu_seconds_total{job="flyscreen-worker",instance="w1",thread="member 0"}': "0+15x400",
    'flyscreen_gateway_streams_cut_total{job="flyscreen-gateway",instance="g1"}': "0+1x400",
    'flyscreen_gateway_refused_total{job="flyscreen-gateway",instance="g1",reason="not_ready"}': "0x400",
    'flyscreen_gateway_refused_total{job="flyscreen-gateway",instance="g1",reason="unauthorized"}': "0+900x400",
}

# Metrics that differ where the alert fires.
SICK = {
    "FlyscreenDown": {'up{job="flyscreen-worker",instance="w1"}': "0x400"},
    "FlyscreenBrokerUnreachable": {
        'flyscreen_broker_reachable{job="flyscreen-worker",instance="w1"}': "0x400",
        # It is no news that nothing works then.
        'flyscreen_partition_worked_on{job="flyscreen-worker",instance="w1",topic="im.gifts",partition="0"}': "0x400",
        'flyscreen_transactions_total{job="flyscreen-worker",instance="w1",outcome="failed"}': "0+300x400",
        'flyscreen_lag_age_seconds{job="flyscreen-worker",instance="w1"}': "0+15x400"},
    "FlyscreenNotReady": {'flyscreen_unready{job="flyscreen-worker",instance="w1",reason="stuck"}': "1x400"},
    "FlyscreenRestoreStuck": {'flyscreen_unready{job="flyscreen-worker",instance="w1",reason="restoring"}': "1x400"},
    "FlyscreenTransactionHangs": {
        'flyscreen_partitions_hanging{job="flyscreen-gateway",instance="g1",topic="render.commands"}': "1x400"},
    "FlyscreenPartitionWithoutWorker": {
        'flyscreen_partition_worked_on{job="flyscreen-worker",instance="w1",topic="im.gifts",partition="0"}': "0x400"},
    "FlyscreenBehind": {
        'flyscreen_lag_seconds{job="flyscreen-worker",instance="w1",topic="im.gifts",partition="0"}': "45x400"},
    "FlyscreenLagUnknown": {'flyscreen_lag_age_seconds{job="flyscreen-worker",instance="w1"}': "0+15x400"},
    "FlyscreenTransactionsFail": {
        'flyscreen_transactions_total{job="flyscreen-worker",instance="w1",outcome="failed"}': "0+100x400"},
    "FlyscreenTransactionsSlow": {
        'flyscreen_transaction_seconds_bucket{job="flyscreen-worker",instance="w1",le="0.05"}': "0+200x400"},
    "FlyscreenDeadLetters": {
        'flyscreen_dead_letters_total{job="flyscreen-worker",instance="w1",reason="not_json"}': "0x60 2000x340"},
    "FlyscreenBatchPassedOver": {
        'flyscreen_dead_letters_total{job="flyscreen-worker",instance="w1",reason="batch_too_large"}': "0x60 1x340"},
    "FlyscreenRecordsLost": {'flyscreen_records_lost_total{job="flyscreen-worker",instance="w1"}': "0x60 7x340"},
    "FlyscreenGroupSetBack": {'flyscreen_partitions{job="flyscreen-worker",instance="w1",phase="resting"}': "2x400"},
    "FlyscreenRoomsInexact": {
        'flyscreen_partitions_restarted_total{job="flyscreen-worker",instance="w1"}': "0x60 1x340"},
    "FlyscreenHistoryInexact": {'flyscreen_inexact_seconds{job="flyscreen-worker",instance="w1",topic="im.gifts"}': "9000x400"},
    "FlyscreenSharedHelpers": {
        'flyscreen_restore_foreign_records_total{job="flyscreen-worker",instance="w1"}': "0x60 900x340"},
    "FlyscreenMembersReplaced": {'flyscreen_member_hand_overs_total{job="flyscreen-worker",instance="w1"}': "0x60 1x340"},
    "FlyscreenSettingsDiffer": {'flyscreen_settings_info{job="flyscreen-worker",instance="w2",hash="c"}': "1x400"},
    "FlyscreenRoomLoud": {'flyscreen_loudest_room_commands_per_second{job="flyscreen-worker",instance="w1"}': "400x400"},
    "FlyscreenClocksApart": {'flyscreen_clock_seconds{job="flyscreen-worker",instance="w1"}': "6+15x400"},
    "FlyscreenOpenFiles": {'process_open_fds{job="flyscreen-gateway",instance="g1"}': "65000x400"},
    "FlyscreenGatewaySlow": {
        'flyscreen_gateway_delay_seconds_bucket{job="flyscreen-gateway",instance="g1",le="0.05"}': "0+600x400"},
    "FlyscreenGatewayThreadFull": {
        'flyscreen_thread_cpu_seconds_total{job="flyscreen-gateway",instance="g1",thread="feed"}': "0+14x400"},
    "FlyscreenGatewayCutsStreams": {'flyscreen_gateway_streams_cut_total{job="flyscreen-gateway",instance="g1"}': "0+20x400"},
    "FlyscreenGatewayRefuses": {
        'flyscreen_gateway_refused_total{job="flyscreen-gateway",instance="g1",reason="not_ready"}': "0+60x400"},
}

# 15 minutes on the first of something lies 0 to 5 minutes back; 17 minutes on whatever lasts has lasted long enough.
LOOK = "17m"


def scenes(alerts):
    """A file for promtool: each scene says of all alerts whether they fire."""
    def scene(different, firing):
        return {
            "interval": "15s",
            "input_series": [{"series": s, "values": v} for s, v in (HEALTHY | different).items()],
            "promql_expr_test": [{
                "expr": f'count by (alertname) (ALERTS{{alertstate="firing",alertname!~"{firing or "-"}"}})',
                "eval_time": LOOK, "exp_samples": []}, *([{
                    "expr": f'count(ALERTS{{alertstate="firing",alertname="{firing}"}}) > bool 0',
                    "eval_time": LOOK, "exp_samples": [{"labels": "{}", "value": 1}]}] if firing else [])]}

    tests = [scene({}, None)] + [scene(different, alert) for alert, different in SICK.items()]
    return {"rule_files": [str(alerts)], "evaluation_interval": "15s", "tests": tests}
